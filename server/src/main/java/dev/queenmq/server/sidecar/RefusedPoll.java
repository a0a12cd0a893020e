package dev.queenmq.server.sidecar;

import dev.queenmq.server.model.Polled;
import io.vertx.core.Future;

/** A poll that was not accepted. */
record RefusedPoll(BrokerException refusal) implements Poll {

  @Override
  public Future<Polled> answer() {
    return Future.failedFuture(refusal);
  }

  @Override
  public void cancel() {}
}
