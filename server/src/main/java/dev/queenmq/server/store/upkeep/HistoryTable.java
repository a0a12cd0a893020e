package dev.queenmq.server.store.upkeep;

/**
 * A table of the schema whose rows are kept for some days.
 *
 * @param column of a moment, best with an index
 */
public record HistoryTable(String table, String column, int days) {}
