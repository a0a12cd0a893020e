package dev.queenmq.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs test classes with whichever JUnit is on the class path. */
final class JUnitMain {
  private JUnitMain() {}

  public static void main(String[] classes) throws IOException {
    StartMain.timed("the first start in another JVM", EmbeddedQueen::shared);
    try (Stream<Path> files = Files.walk(Path.of(System.getProperty("queen.testkit.folder")), 2)) {
      System.out.println(
          "testkit: with kept files: " + files.anyMatch(each -> each.endsWith("kept")));
    }
    LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
    for (String each : classes) {
      request.selectors(selectClass(each));
    }
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request.build(), listener);
    TestExecutionSummary summary = listener.getSummary();
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    summary.printFailuresTo(out);
    out.printf(
        "testkit: JUnit %s: %d succeeded, %d failed%n",
        Test.class.getPackage().getImplementationVersion(),
        summary.getTestsSucceededCount(),
        summary.getTotalFailureCount());
  }
}
