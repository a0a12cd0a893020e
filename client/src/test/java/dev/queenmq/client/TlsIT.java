package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.client.testing.BrokerExtension;
import dev.queenmq.client.testing.TestBroker;
import dev.queenmq.client.testing.TestCertificate;
import dev.queenmq.client.testing.TestPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A broker that speaks TLS, with a certificate that only our own context trusts. */
@ExtendWith(BrokerExtension.class)
class TlsIT {
  private final String name = "tls-" + UUID.randomUUID();

  @Test
  void https_worksWithAContextOfYourOwn_andNotWithoutIt(TestPostgres postgres, @TempDir Path folder)
      throws Exception {
    TestCertificate certificate = TestCertificate.make(folder);
    try (TestBroker broker =
        TestBroker.start(postgres.environment("tls", certificate.environment()))) {
      String url = "https://127.0.0.1:" + broker.port();
      try (QueenClient client =
          QueenClient.builder().url(url).sslContext(certificate.trusting()).build()) {
        CompletableFuture<String> handled = new CompletableFuture<>();
        client.queue(name).push("sealed");
        try (QueenConsumer consumer =
            client
                .queue(name)
                .consume(String.class, message -> handled.complete(message.payload()))) {
          assertThat(handled.get(1, TimeUnit.MINUTES)).isEqualTo("sealed");
          assertThat(consumer.isRunning()).isTrue();
        }
      }
      try (QueenClient stranger =
          QueenClient.builder()
              .url(url)
              .retry(
                  new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(1)))
              .build()) {
        assertThatThrownBy(() -> stranger.queue(name).push("open"))
            .isInstanceOf(UnavailableException.class)
            .hasMessageContaining("certification path")
            .satisfies(e -> assertThat(((UnavailableException) e).mayHaveHappened()).isFalse());
      }
    }
  }
}
