package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.client.testing.StubServer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Renewals of leases that do not get an answer. */
class RenewalTest {
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger pops = new AtomicInteger();
  private final AtomicInteger renewals = new AtomicInteger();

  private StubServer.Answer answer(String method, String path, String body) throws Exception {
    if (path.endsWith("/extend")) {
      renewals.incrementAndGet();
      return new StubServer.Answer(200, "{\"expiresAt\":\"2100-01-01T00:00:00Z\"}");
    }
    if (path.startsWith("/api/v1/pop") && pops.getAndIncrement() == 0) {
      // Renewed after a second.
      return new StubServer.Answer(
          200,
          "{\"messages\":[{\"id\":\"i\",\"transactionId\":\"t\",\"partition\":\"p\","
              + "\"partitionId\":\"f7b7d1f6-0000-4000-8000-000000000001\",\"leaseId\":\"l\","
              + "\"leaseExpiresAt\":\""
              + Instant.now().plusSeconds(2)
              + "\",\"data\":1}]}");
    }
    end.await();
    return new StubServer.Answer(204, "");
  }

  @Test
  void anErrorInPlaceOfAnAnswer_isNotTheLastRenewal() throws Exception {
    ClientListener broken =
        new ClientListener() {
          @Override
          public void onAttempt(Attempt attempt) {
            if (attempt.route().endsWith("/extend") && renewals.get() == 1) {
              throw new StackOverflowError("deep");
            }
          }
        };
    try (StubServer server = new StubServer(this::answer)) {
      QueenClient client = QueenClient.builder().url(server.url()).listener(broken).build();
      try {
        assertThat(client.queue("q").consume(Integer.class, message -> end.await()).isRunning())
            .isTrue();

        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> renewals.get() > 1);
      } finally {
        end.countDown();
        client.close(Duration.ZERO);
      }
    }
  }
}
