package dev.queenmq.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The testkit in JVMs of its own: the first one on a machine, then one with JUnit 5. */
class OtherJvmIT {
  @TempDir private Path temporary;

  @Test
  void jvms_endByThemselves_andShareWhatTheyLeave() throws Exception {
    ChildJvm first = new ChildJvm(temporary);
    print(first.run(StartMain.class));
    try (Stream<Path> left = Files.list(first.folder())) {
      assertThat(left.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrder("clusters", "jars", "postgres");
    }

    String tests =
        new ChildJvm(temporary)
            .without(name -> name.startsWith("junit-"))
            .withJarsOf(Path.of("target/junit5"))
            .run(
                JUnitMain.class,
                "dev.queenmq.testkit.tour.KitchenIT",
                "dev.queenmq.testkit.tour.ParallelIT");

    print(tests);
    assertThat(tests).contains("testkit: JUnit 5.", " 6 succeeded, 0 failed");
    assertThat(tests).contains("testkit: with kept files: true");
  }

  /** The next JVM uses the files of PostgreSQL that this one leaves. */
  @Test
  void aBroker_isRemoved_alsoByAThreadThatIsInterrupted() throws Exception {
    ChildJvm jvm = new ChildJvm(temporary);
    for (int i = 0; i < 2; i++) {
      assertThat(jvm.run(InterruptedMain.class)).contains("testkit: still interrupted: true");
      try (Stream<Path> kept = Files.list(jvm.folder().resolve("clusters"))) {
        assertThat(kept).hasSize(1);
      }
    }
  }

  /** Times are for people: a busy machine is no failure. */
  private static void print(String output) {
    output.lines().filter(line -> line.startsWith("testkit: ")).forEach(System.out::println);
  }
}
