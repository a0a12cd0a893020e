package dev.queenmq.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * The runtime that the profile of that name links has the modules that the jars need. To link and
 * to start one takes longer: {@code mvn verify -Pruntime} does, in {@link DistributionIT}.
 */
class RuntimeModulesIT {
  /** Parts of libraries refer to these that are not used here. */
  private static final Set<String> NEEDLESS = Set.of("java.desktop", "java.compiler");

  @Test
  void runtime_hasWhatTheJarsNeed() {
    List<String> linked = names(System.getProperty("queen.runtime.modules"));
    for (String jar : names(System.getProperty("queen.jars"))) {
      Set<String> needed = new TreeSet<>(names(jdeps(jar)));
      needed.removeAll(NEEDLESS);

      assertThat(needed).as(jar).contains("java.base");
      assertThat(linked).as(jar).containsAll(needed);
    }
  }

  private static String jdeps(String jar) {
    StringWriter said = new StringWriter();
    StringWriter wrong = new StringWriter();
    int code =
        ToolProvider.findFirst("jdeps")
            .orElseThrow()
            .run(
                new PrintWriter(said, true),
                new PrintWriter(wrong, true),
                "--ignore-missing-deps",
                "--multi-release",
                "17",
                // A jar holds all its libraries.
                "--no-recursive",
                "--print-module-deps",
                jar);
    assertThat(code).as(said + "" + wrong).isZero();
    return said.toString().strip();
  }

  private static List<String> names(String list) {
    return Arrays.asList(list.split(",", -1));
  }
}
