package dev.queenmq.server.admin;

import java.util.List;

/**
 * A part of a list.
 *
 * @param total how long the list is
 * @param truncated whether there is more than was looked at
 * @param <T> an element
 */
public record Page<T>(List<T> items, long total, boolean truncated) {}
