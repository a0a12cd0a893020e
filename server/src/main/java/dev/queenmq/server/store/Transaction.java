package dev.queenmq.server.store;

import java.util.List;
import java.util.UUID;

/**
 * Pushes and verdicts that happen together or not at all.
 *
 * @param requiredLeases must be live; verdicts without a lease of their own then need one of these
 */
public record Transaction(List<Operation> operations, List<UUID> requiredLeases) {
  public Transaction {
    operations = List.copyOf(operations);
    requiredLeases = List.copyOf(requiredLeases);
  }
}
