package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.audit.Violation;
import dev.queenmq.bench.broker.AckResult;
import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** Sends acks of one group and holds the broker to its answers. For one event loop. */
final class Verdicts {
  static final String COMPLETED = "completed";
  static final String FAILED = "failed";
  static final String RETRY = "retry";
  static final String DLQ = "dlq";
  private static final String LEASE_LOST = "Invalid or expired lease";
  private static final Duration MARGIN = Duration.ofMillis(200);

  /** An ack on one message. */
  record Said(HeldBatch batch, HeldBatch.Held held, String status) {

    boolean mayBeDone() {
      return !status.equals(RETRY);
    }
  }

  private final HttpLedger ledger;
  private final String group;
  private final Duration lease;
  private final long leaseNanos;

  Verdicts(Scene scene, int group) {
    ledger = scene.ledger();
    this.group = Names.group(group);
    lease = scene.settings().lease();
    leaseNanos = lease.minus(MARGIN).toNanos();
  }

  /** Says so by this call, which gets a body and sends it as it likes. */
  Future<Void> say(List<Said> all, Function<Buffer, Future<Reply>> call) {
    if (all.isEmpty()) {
      return Future.succeededFuture();
    }
    Bodies body = Bodies.acks(group);
    all.forEach(said -> body.ack(said.held().popped(), said.status()));
    long sent = System.nanoTime();
    List<Boolean> live = all.stream().map(said -> said.batch().releaseSent() > sent).toList();
    for (Said said : all) {
      if (said.status().equals(COMPLETED) || said.status().equals(DLQ)) {
        said.batch().answering(said.held().message(), sent);
      } else {
        said.batch().releasing(sent);
      }
    }
    return call.apply(body.finish())
        .map(Answers::ack)
        .map(
            results -> {
              heard(all, results, live, sent);
              return (Void) null;
            })
        .onFailure(unknown -> notHeard(all, sent));
  }

  /** The usual call. */
  static Function<Buffer, Future<Reply>> by(Wire wire) {
    return body -> wire.post(BrokerClient.ACK_BATCH, body);
  }

  private static void notHeard(List<Said> all, long sent) {
    for (Said said : all) {
      if (said.mayBeDone()) {
        said.held().message().fate(said.batch().group()).perhapsDone(sent);
      }
      said.batch().releasing(sent);
    }
  }

  private void heard(List<Said> all, List<AckResult> results, List<Boolean> live, long sent) {
    if (results.size() != all.size()) {
      notHeard(all, sent);
      ledger.violations().add(Violation.UNEXPECTED, all.size() + " verdicts, answered " + results);
      return;
    }
    long now = System.nanoTime();
    boolean plain = all.stream().allMatch(said -> said.status().equals(COMPLETED));
    for (int i = 0; i < all.size(); i++) {
      Said said = all.get(i);
      AckResult result = results.get(i);
      if (result.success()) {
        applied(said, result, sent);
      } else if (result.error().equals(LEASE_LOST)) {
        ledger.add(Count.LOST_LEASES);
        said.held()
            .message()
            .fate(said.batch().group())
            .refused("'%s' sent %d was refused at %d".formatted(said.status(), sent, now));
        if (plain && live.get(i) && said.batch().inTime(now, leaseNanos)) {
          report(said, "lost before its time");
        }
      } else {
        report(said, "answered " + result);
      }
    }
  }

  private void applied(Said said, AckResult result, long sent) {
    boolean done = result.dead() || said.status().equals(COMPLETED) || said.status().equals(DLQ);
    said.batch().checkLate(sent, lease, ledger.violations());
    if (result.dead()) {
      said.held().message().fate(said.batch().group()).promisedDead();
    }
    if (done) {
      AuditedMessage message = said.held().message();
      ledger
          .cursor(said.batch().partition(), said.batch().group())
          .done(message, said.batch(), sent);
    }
    ledger.add(result.dead() ? Count.DEAD : done ? Count.ACKED : Count.FAILED);
  }

  private void report(Said said, String what) {
    ledger
        .violations()
        .add(
            Violation.UNEXPECTED, "verdict on " + said.held().message() + " " + what + ": " + said);
  }
}
