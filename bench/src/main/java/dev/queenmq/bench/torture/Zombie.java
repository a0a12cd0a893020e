package dev.queenmq.bench.torture;

import dev.queenmq.bench.audit.Violation;
import dev.queenmq.bench.audit.Violations;
import dev.queenmq.bench.broker.BrokerUrl;
import io.vertx.core.json.JsonArray;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A consumer whose ack is on its way to a broker that is frozen until the lease has run out and
 * somebody else has the message: the ack must change nothing, and say so. For one thread.
 */
final class Zombie {
  private static final String GROUP = "zombies";
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final int ATTEMPTS = 20;

  private final BrokerUrl frozen;
  private final Caller zombie;
  private final Caller successor;
  private final double leaseSeconds;
  private final Violations violations;
  private final String queue = "zombie-" + Long.toString(System.nanoTime(), Character.MAX_RADIX);
  private Optional<Caller.Got> held = Optional.empty();
  private @Nullable CompletableFuture<HttpResponse<String>> ack;
  private @Nullable CompletableFuture<Boolean> takeOver;

  Zombie(BrokerUrl frozen, BrokerUrl other, double leaseSeconds, Violations violations) {
    this.frozen = frozen;
    this.leaseSeconds = leaseSeconds;
    this.violations = violations;
    zombie = new Caller(frozen, PATIENCE);
    successor = new Caller(other, PATIENCE);
  }

  /** Gets a message through the broker that is about to be frozen. */
  void lease() throws InterruptedException {
    successor.configure(queue, leaseSeconds);
    for (int i = 0; i < ATTEMPTS && held.isEmpty(); i++) {
      if (successor.push(queue, "z")) {
        held = zombie.pop(queue, "consumerGroup=" + GROUP + "&wait=true&timeout=2000");
      }
    }
  }

  /** Sends the ack, which nobody reads yet; meanwhile somebody else waits for the message. */
  void ack() {
    held.ifPresent(
        message -> {
          ack = zombie.ack(message, GROUP);
          takeOver = CompletableFuture.supplyAsync(this::takesOver);
        });
  }

  private boolean takesOver() {
    try {
      for (int i = 0; i < ATTEMPTS; i++) {
        if (successor
            .pop(queue, "consumerGroup=" + GROUP + "&wait=true&timeout=1000")
            .isPresent()) {
          return true;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /** Both have an answer by now. */
  void check() {
    CompletableFuture<HttpResponse<String>> answered = ack;
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

  private static boolean accepted(CompletableFuture<HttpResponse<String>> answered) {
    try {
      HttpResponse<String> answer = answered.join();
      return answer.statusCode() == 200
          && new JsonArray(answer.body()).getJsonObject(0).getBoolean("success", false);
    } catch (CompletionException e) {
      // No answer is no success.
      return false;
    }
  }
}
