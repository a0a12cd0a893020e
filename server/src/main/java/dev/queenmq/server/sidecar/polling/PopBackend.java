package dev.queenmq.server.sidecar.polling;

import dev.queenmq.server.broker.BrokerException;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.polling.ReconcilePage;
import dev.queenmq.server.sidecar.figures.OperationStatistics;
import dev.queenmq.server.sidecar.lane.Lane;
import dev.queenmq.server.store.MessageStore;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What a sidecar does for its waiting room. */
public record PopBackend(
    Lane<PopRequest, PopOutcome> pops,
    MessageStore store,
    Looks looks,
    BooleanSupplier paused,
    Consumer<Polled> releasing,
    OperationStatistics statistics,
    Consumer<Runnable> later)
    implements WaitingRoomShell.Backend {

  /** The broker's tail queries. For any thread. */
  public interface Looks {
    /** Wants one that begins from now on. */
    void want();

    /** Wants one that begins in a moment. */
    void wantSoon();

    /** How many have begun. */
    long begun();
  }

  @Override
  public Future<List<PopOutcome>> pop(List<PopRequest> requests) {
    if (paused.getAsBoolean() && !requests.stream().allMatch(PopBackend::takesNothing)) {
      // As when PostgreSQL is away: waiting polls try again later.
      return Future.failedFuture(
          new BrokerException(BrokerException.Kind.UNAVAILABLE, "Pops are paused"));
    }
    return pops.add(requests, 0);
  }

  /** A group's first contact, from which it subscribes. */
  private static boolean takesNothing(PopRequest request) {
    return request.target() instanceof PopTarget.Candidates some && some.partitionIds().isEmpty();
  }

  @Override
  public Future<ReconcilePage> reconcile(
      String queue, String group, Optional<String> after, int partitions) {
    return store.reconcile(queue, group, after, partitions);
  }

  @Override
  public void look() {
    looks.want();
  }

  @Override
  public void lookSoon() {
    looks.wantSoon();
  }

  @Override
  public long looksBegun() {
    return looks.begun();
  }

  @Override
  public void release(Polled undelivered) {
    releasing.accept(undelivered);
  }

  @Override
  public boolean popsPaused() {
    return paused.getAsBoolean();
  }

  @Override
  public void served(PopOutcome.Served messages, Runnable next) {
    statistics.answeredAhead(List.of(messages));
    later.accept(next);
  }

  @Override
  public void unserved(Runnable next) {
    later.accept(next);
  }
}
