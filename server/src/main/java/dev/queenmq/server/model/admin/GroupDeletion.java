package dev.queenmq.server.model.admin;

import java.util.Optional;

/**
 * Forget how far a group is, on one queue or on all. Leases end; dead letters stay.
 *
 * @param subscription also where it starts; else it starts again where it once did
 */
public record GroupDeletion(String group, Optional<String> queue, boolean subscription) {}
