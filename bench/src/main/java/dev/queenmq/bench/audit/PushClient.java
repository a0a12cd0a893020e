package dev.queenmq.bench.audit;

import dev.queenmq.bench.audit.ledger.AuditedMessage;
import dev.queenmq.bench.audit.ledger.PushTrouble;
import dev.queenmq.bench.broker.PushResult;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** A producer's way to the audited queue. For one event loop, one call at a time. */
interface PushClient {
  /** The results in the order of the messages. */
  Future<List<PushResult>> push(List<AuditedMessage> messages, AuditClient.Sending how);

  /** Whether one push may be sent several times, so that a first answer may be a duplicate. */
  default boolean isRepeating() {
    return false;
  }

  /** The broker that answered the last call. */
  String broker();

  /** Why the last push had no answer, or a bad one, if it is known. */
  Optional<PushTrouble> trouble(Throwable failure);

  Future<Void> close();
}
