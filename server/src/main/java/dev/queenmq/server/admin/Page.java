package dev.queenmq.server.admin;

import java.util.List;

/**
 * A part of a list.
 *
 * @param total how long the list is
 * @param truncated whether there is more than was looked at
 * @param needed bytes of the first element, if it is larger than the page may be; otherwise 0
 * @param <T> an element
 */
public record Page<T>(List<T> items, long total, boolean truncated, long needed) {}
