package dev.queenmq.server.admin;

import java.util.List;

/**
 * A part of a list.
 *
 * @param total how long the list is
 * @param <T> an element
 */
public record Page<T>(List<T> items, long total) {}
