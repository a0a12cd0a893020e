package dev.queenmq.bench.bound;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A lane and what is about to be appended to it. At most one statement at a time pushes to it. */
final class BoundLane {
  final BoundQueue queue;
  final String name;
  final UUID id;

  /** How far it is stored. */
  long end;

  /** How far it is done. */
  long committed;

  boolean stored;
  boolean pushing;
  boolean waitsForPush;
  boolean leased;
  boolean ready;
  Pending pending = new Pending();

  BoundLane(BoundQueue queue, String name, UUID id) {
    this.queue = queue;
    this.name = name;
    this.id = id;
  }

  /** Messages of any number of requests, in their order. */
  static final class Pending {
    final List<UUID> ids = new ArrayList<>();
    final List<String> transactionIds = new ArrayList<>();
    final List<Buffer> payloads = new ArrayList<>();
    final List<BoundPush> requests = new ArrayList<>();

    void add(UUID messageId, String transactionId, Buffer payload, BoundPush request) {
      ids.add(messageId);
      transactionIds.add(transactionId);
      payloads.add(payload);
      if (requests.isEmpty() || requests.get(requests.size() - 1) != request) {
        requests.add(request);
        request.lanes++;
      }
    }

    int size() {
      return ids.size();
    }
  }
}
