package dev.queenmq.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.JsonLines;
import dev.queenmq.bench.PostgresOptions;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.ProcessTree;
import dev.queenmq.bench.http.Generator;
import dev.queenmq.bench.http.Plan;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ComparisonRunTest {
  private static final PrintWriter NOWHERE = new PrintWriter(PrintWriter.nullWriter());

  private static final Plan PLAN =
      new Plan(
          Duration.ZERO, Duration.ZERO, 1, Optional.empty(), Optional.empty(), false, 256, "test");

  private final StringWriter progress = new StringWriter();
  private final List<String> ended = new ArrayList<>();
  private final ComparisonRun run =
      new ComparisonRun(
          EnumSet.noneOf(Cell.class), 1, false, 200, new JsonLines(), new PrintWriter(progress));

  ComparisonRunTest() {}

  /** A system that is not there, does not start, or starts. */
  private record Fake(String name, Optional<String> missing, Optional<RunningSystem> running)
      implements SystemUnderTest {
    @Override
    public OnDisk onDisk() {
      return OnDisk.NO;
    }

    @Override
    public String setup() {
      return "for tests";
    }

    @Override
    public RunningSystem start(StartOptions options) {
      return running.orElseThrow(() -> new IllegalStateException("no room"));
    }
  }

  @Test
  void whatIsMissingIsSkipped_whatFailsIsReported_andTheOthersRunAndEnd() {
    Generator target =
        new Generator(new BrokerUrl("127.0.0.1", 1, ""), new ProcessTree(List.of()), PLAN, NOWHERE);
    RunningSystem running =
        new RunningSystem(
            "1.2",
            target,
            List.of(
                () -> ended.add("first"),
                () -> {
                  throw new IllegalStateException("did not end");
                },
                () -> ended.add("last"),
                target));

    run.measure(
        List.of(
            new Fake("absent", Optional.of("install the package absent"), Optional.empty()),
            new Fake("broken", Optional.empty(), Optional.empty()),
            new Fake("good", Optional.empty(), Optional.of(running))),
        new StartOptions(new PostgresOptions(), PLAN, NOWHERE));

    assertThat(run.skipped()).containsExactly("absent: skipped: install the package absent");
    assertThat(run.failures())
        .containsExactly("broken did not start: no room", "good did not stop: did not end");
    assertThat(run.versions()).containsOnlyKeys("good").containsValue("1.2");
    // A part that fails does not keep the others from ending, the last first.
    assertThat(ended).containsExactly("last", "first");
    assertThat(progress.toString()).contains("absent: skipped", "starting good");
  }
}
