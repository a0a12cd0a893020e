package dev.queenmq.server.admin.history;

import java.util.UUID;

/**
 * The broker that a minute's statistics belong to.
 *
 * @param id of this start of it
 * @param port of its HTTP server
 * @param name that its operator gave it
 */
public record BrokerIdentity(UUID id, String hostname, int port, String name, long pid) {}
