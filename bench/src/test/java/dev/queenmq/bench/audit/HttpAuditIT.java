package dev.queenmq.bench.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.BenchPostgresExtension;
import dev.queenmq.bench.TestSeed;
import dev.queenmq.bench.audit.ledger.Count;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.embedded.PostgresAddress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BenchPostgresExtension.class)
class HttpAuditIT {
  private static final long MESSAGES = 2_000;
  private static final String QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  HttpAuditIT() {}

  @Test
  void audit_findsNothingWrong(BenchPostgres postgres) {
    AuditSettings settings =
        new AuditSettings(
            Duration.ofSeconds(3), MESSAGES, 4, 4, 8, 3, 2, seed(), ClientBehaviour.restless());
    StringWriter text = new StringWriter();
    try (BrokerProcess broker =
        BrokerProcess.start(
            BrokerProcess.builtJar(),
            Optional.of(Path.of("target").toAbsolutePath()),
            environment(postgres.createDatabase("http_audit").address()))) {
      AuditReport report =
          AuditRun.http(AuditedBrokers.of(List.of(broker.url())), settings, new PrintWriter(text))
              .run();
      report.print(new PrintWriter(text));

      assertThat(report.violations().examples()).as(text.toString()).isEmpty();
      assertThat(report.violations().total()).isZero();
      assertThat(report.of(Count.PUSHED)).isPositive();
      assertThat(report.of(Count.PRODUCERS_CUT)).isPositive();
      assertThat(report.of(Count.WAITS_CUT)).isPositive();
      assertThat(report.of(Count.DEATHS)).isPositive();
      assertThat(report.of(Count.STORED)).isEqualTo(report.of(Count.PUSHED));
    }
  }

  private static Map<String, String> environment(PostgresAddress address) {
    Map<String, String> settings =
        new LinkedHashMap<>(BenchDatabase.settings(address, address.database()));
    settings.put("JAVA_TOOL_OPTIONS", QUICK_START);
    return settings;
  }

  private static long seed() {
    return TestSeed.of(HttpAuditIT.class);
  }
}
