package dev.queenmq.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class JsonMetricsTest {

  @Test
  void body_hasTheKeysOfTheContract() {
    JsonMetrics metrics = new JsonMetrics();
    metrics.body(Samples.figures(10), Samples.process(Duration.ofSeconds(100)));

    assertThat(metrics.body(Samples.figures(30), Samples.process(Duration.ofMillis(110_500))))
        .isEqualTo(
            new JsonObject(
                """
                {"uptime": 110,
                 "requests": {"total": 32, "rate": 1.9047619047619047},
                 "messages": {"total": 300, "rate": 19.047619047619047},
                 "database": {"poolSize": 8, "idleConnections": 6, "waitingRequests": 4},
                 "memory": {"rss": 100, "heapTotal": 40, "heapUsed": 30, "external": 60,
                            "arrayBuffers": 70},
                 "cpu": {"user": 1230000, "system": 450000}}
                """));
  }
}
