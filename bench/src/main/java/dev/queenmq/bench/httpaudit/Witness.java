package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.audit.Violation;
import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.PopMessage;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads everything once more in the end, in a group of its own and undisturbed: what is stored, and
 * in which order. For one event loop.
 */
final class Witness {
  private static final String QUERY = "batch=1000&autoAck=true";

  private final Scene scene;
  private final Wire wire;
  private final List<List<AuditedMessage>> partitions = new ArrayList<>();

  Witness(Scene scene) {
    this.scene = scene;
    wire = scene.newWire();
  }

  /** Reads what transactions have copied. */
  Future<Void> readCopies() {
    Future<Void> all = Future.succeededFuture();
    for (int i = 0; i < scene.settings().partitions(); i++) {
      int partition = i;
      all = all.compose(before -> copies(partition));
    }
    return all;
  }

  private Future<Void> copies(int partition) {
    return wire.get(Names.popFrom(scene.names().copies(), partition, Names.WITNESS, QUERY))
        .map(Answers::pop)
        .compose(
            copies -> {
              copies.forEach(this::noteCopy);
              return copies.isEmpty() ? Future.succeededFuture() : copies(partition);
            });
  }

  private void noteCopy(PopMessage popped) {
    AuditedMessage message = scene.ledger().byTransactionId(popped.transactionId()).orElse(null);
    if (message == null || message.number() != popped.number()) {
      scene.ledger().violations().add(Violation.PHANTOM, "copy " + popped);
    } else if (message.isCopied()) {
      scene.ledger().violations().add(Violation.ADMITTED_DUPLICATE, message + " is copied twice");
    } else {
      message.copied();
    }
  }

  Future<Void> close() {
    return wire.close();
  }

  /** Reads; the messages of each partition in their order. */
  Future<List<List<AuditedMessage>>> read() {
    Future<Void> all = Future.succeededFuture();
    for (int i = 0; i < scene.settings().partitions(); i++) {
      int partition = i;
      List<AuditedMessage> stored = new ArrayList<>();
      partitions.add(stored);
      all = all.compose(before -> page(partition, stored));
    }
    return all.map(partitions);
  }

  private Future<Void> page(int partition, List<AuditedMessage> stored) {
    return wire.get(scene.names().popFrom(partition, Names.WITNESS, QUERY))
        .map(Answers::pop)
        .compose(
            messages -> {
              messages.forEach(popped -> note(popped, stored));
              return messages.isEmpty() ? Future.succeededFuture() : page(partition, stored);
            });
  }

  private void note(PopMessage popped, List<AuditedMessage> stored) {
    scene
        .ledger()
        .find(popped)
        .ifPresent(
            message -> {
              if (message.position() >= 0) {
                scene
                    .ledger()
                    .violations()
                    .add(Violation.ADMITTED_DUPLICATE, message + " is stored twice");
              } else {
                message.isAt(stored.size());
                stored.add(message);
              }
            });
  }
}
