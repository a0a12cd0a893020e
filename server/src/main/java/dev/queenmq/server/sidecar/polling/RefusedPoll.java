package dev.queenmq.server.sidecar.polling;

import dev.queenmq.server.broker.BrokerException;
import dev.queenmq.server.broker.Poll;
import dev.queenmq.server.model.Polled;
import io.vertx.core.Future;

/** A poll that was not accepted. */
public record RefusedPoll(BrokerException refusal) implements Poll {

  @Override
  public Future<Polled> answer() {
    return Future.failedFuture(refusal);
  }

  @Override
  public void cancel() {}
}
