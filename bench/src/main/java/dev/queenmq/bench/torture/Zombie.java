package dev.queenmq.bench.torture;

import dev.queenmq.bench.audit.ledger.Violation;
import dev.queenmq.bench.audit.ledger.Violations;
import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.BlockingClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A consumer whose ack is on its way to a broker that is frozen until the lease has run out and
 * another consumer has the message: the ack must change nothing, and say so. For one thread.
 */
final class Zombie {
  private static final String GROUP = "zombies";
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final int ATTEMPTS = 20;

  private final BrokerUrl frozen;
  private final BlockingClient zombie;
  private final BlockingClient successor;
  private final double leaseSeconds;
  private final Violations violations;
  private final String queue = "zombie-" + Long.toString(System.nanoTime(), Character.MAX_RADIX);
  private Optional<PopMessage> held = Optional.empty();
  private @Nullable CompletableFuture<Reply> ack;
  private @Nullable CompletableFuture<Boolean> takeOver;

  Zombie(BrokerUrl frozen, BrokerUrl other, double leaseSeconds, Violations violations) {
    this.frozen = frozen;
    this.leaseSeconds = leaseSeconds;
    this.violations = violations;
    zombie = new BlockingClient(frozen, PATIENCE);
    successor = new BlockingClient(other, PATIENCE);
  }

  /** Gets a message through the broker that is about to be frozen. */
  void lease() {
    JsonObject options = new JsonObject().put("leaseTime", Math.round(leaseSeconds));
    successor.post(
        "/api/v1/configure",
        new JsonObject().put("queue", queue).put("options", options).toBuffer());
    for (int i = 0; i < ATTEMPTS && held.isEmpty(); i++) {
      if (successor.push(queue, "z").filter(BlockingClient::isStored).isPresent()) {
        held = pop(zombie, 2000);
      }
    }
  }

  private Optional<PopMessage> pop(BlockingClient client, int millis) {
    return client
        .pop(queue, "consumerGroup=" + GROUP + "&wait=true&timeout=" + millis)
        .flatMap(BlockingClient::last);
  }

  /** Sends the ack, which stays unread; meanwhile another consumer waits for the message. */
  void ack() {
    held.ifPresent(
        message -> {
          ack = zombie.ackLater(message, GROUP);
          takeOver = CompletableFuture.supplyAsync(this::takesOver);
        });
  }

  private boolean takesOver() {
    for (int i = 0; i < ATTEMPTS; i++) {
      if (pop(successor, 1000).isPresent()) {
        return true;
      }
    }
    return false;
  }

  /** Both have an answer by now. */
  void check() {
    CompletableFuture<Reply> answered = ack;
    CompletableFuture<Boolean> taken = takeOver;
    if (answered == null || taken == null) {
      return;
    }
    boolean accepted = accepted(answered);
    if (accepted) {
      violations.add(
          Violation.LATE_ACK_ACCEPTED, "from the zombie at " + frozen + " in queue " + queue);
    }
    if (!taken.join() && !accepted) {
      violations.add(
          Violation.LOST_DELIVERY, "after the lease of the zombie at " + frozen + " in " + queue);
    }
  }

  private static boolean accepted(CompletableFuture<Reply> answered) {
    try {
      Reply answer = answered.join();
      return answer.isSuccess() && Answers.ack(answer).get(0).success();
    } catch (CompletionException e) {
      // No answer is no success.
      return false;
    }
  }
}
