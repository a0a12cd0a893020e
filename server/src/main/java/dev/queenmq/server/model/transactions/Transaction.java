package dev.queenmq.server.model.transactions;

import dev.queenmq.server.model.IdempotencyKey;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Pushes and acks that happen together or not at all.
 *
 * @param requiredLeases must be live; acks without a lease of their own then need one of these
 * @param id under which it is answered, and by which it is found if it is sent again; without one
 *     it cannot be found
 * @param key of the client, if it gave one
 * @param sentBefore whether it was sent before and no reply came: it may have happened
 */
public record Transaction(
    List<Operation> operations,
    List<UUID> requiredLeases,
    Optional<UUID> id,
    Optional<IdempotencyKey> key,
    boolean sentBefore) {
  public Transaction {
    operations = List.copyOf(operations);
    requiredLeases = List.copyOf(requiredLeases);
  }

  /** One that is sent once. */
  public Transaction(List<Operation> operations, List<UUID> requiredLeases) {
    this(operations, requiredLeases, Optional.empty(), Optional.empty(), false);
  }

  /** The same under an id: its own, or a new one. */
  public Transaction identified() {
    return id.isPresent() ? this : identified(UUID.randomUUID(), key);
  }

  /** The same under an id and, if there is one, a key. */
  public Transaction identified(UUID newId, Optional<IdempotencyKey> newKey) {
    return new Transaction(operations, requiredLeases, Optional.of(newId), newKey, sentBefore);
  }

  /** The same, about to be sent again because no reply came. */
  public Transaction again() {
    return new Transaction(operations, requiredLeases, id, key, true);
  }
}
