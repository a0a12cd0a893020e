package dev.queenmq.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class JsonMetricsTest {

  @Test
  void body_hasTheKeysOfTheContract_andTheSidecars() {
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
                 "cpu": {"user": 1230000, "system": 450000},
                 "sidecar": {"local_sidecars": 2, "waiting_polls": 7,
                   "group_backoff": {"groups_tracked": 5, "groups_in_flight": 3,
                                     "groups_backed_off": 2},
                   "operations": {
                     "push": {"requests": 30, "items": 300, "calls": 4, "per_call": 5.25,
                              "failures": 1, "pending": 3},
                     "ack": {"requests": 2, "items": 5, "calls": 2, "per_call": 0.0,
                             "failures": 0, "pending": 1}}}}
                """));
  }
}
