package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.audit.Violation;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the dead letters in the end: each must hold what was pushed, and each that was promised
 * must be there. For one event loop.
 */
final class DeadLetters {
  private static final int PAGE = 1000;
  private static final String NO_GROUP = "__QUEUE_MODE__";

  private static final int ATTEMPTS = 5;
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Scene scene;
  private final Wire wire;
  private final Map<String, Integer> groups = new HashMap<>();

  DeadLetters(Scene scene) {
    this.scene = scene;
    wire = scene.newWire();
    groups.put(NO_GROUP, 0);
    for (int i = 0; i < scene.settings().allGroups(); i++) {
      groups.put(Names.group(i), i);
    }
  }

  Future<Void> read() {
    return page(0, ATTEMPTS).onSuccess(all -> checkPromised());
  }

  Future<Void> close() {
    return wire.close();
  }

  /** To read them twice changes nothing, so a broker that has just had trouble may have time. */
  private Future<Void> page(int offset, int attempts) {
    return wire.get(
            "/api/v1/dlq?queue=%s&limit=%d&offset=%d"
                .formatted(BrokerUrl.encode(scene.names().queue()), PAGE, offset))
        .map(Reply::orThrow)
        .map(reply -> new JsonObject(reply.body()).getJsonArray("messages"))
        .transform(
            letters -> {
              if (letters.succeeded()) {
                letters.result().forEach(letter -> note((JsonObject) letter));
                return letters.result().size() < PAGE
                    ? Future.succeededFuture()
                    : page(offset + PAGE, ATTEMPTS);
              }
              return attempts > 1
                  ? scene.pause(PAUSE).compose(waited -> page(offset, attempts - 1))
                  : Future.failedFuture(letters.cause());
            });
  }

  private void note(JsonObject letter) {
    AuditedMessage message =
        scene.ledger().byTransactionId(letter.getString("transactionId", "")).orElse(null);
    Integer group = groups.get(letter.getString("consumerGroup", ""));
    if (message == null || group == null) {
      scene.ledger().violations().add(Violation.PHANTOM, "dead letter " + letter);
      return;
    }
    message.fate(group).buried();
    if (!(letter.getValue("data") instanceof JsonObject data)
        || !Long.valueOf(message.number()).equals(data.getLong(PopMessage.NUMBER))) {
      scene.ledger().violations().add(Violation.DEAD_WITHOUT_PAYLOAD, message + ": " + letter);
    }
  }

  private void checkPromised() {
    for (AuditedMessage message : scene.ledger().messages()) {
      for (int group = 0; group < scene.settings().allGroups(); group++) {
        Fate fate = message.fate(group);
        if (fate.isPromisedDead() && !fate.isBuried()) {
          scene
              .ledger()
              .violations()
              .add(Violation.DEAD_WITHOUT_PAYLOAD, message + " is missing for group " + group);
        }
      }
    }
  }
}
