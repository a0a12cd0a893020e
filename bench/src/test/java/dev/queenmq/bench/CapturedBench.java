package dev.queenmq.bench;

import dev.queenmq.bench.main.Bench;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;
import picocli.CommandLine.RunLast;

/** The command line as users have it; what it prints goes to the test. */
public final class CapturedBench {
  private CapturedBench() {}

  /**
   * The command line that prints to these.
   *
   * <p>The strategy is wrapped: picocli gives a bare {@link RunLast} the standard streams back if
   * {@code System.err} is another one than when the line was made, and with tests beside this one
   * that happens.
   */
  public static CommandLine printingTo(StringWriter out, StringWriter err) {
    return new CommandLine(new Bench())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .setExecutionStrategy(parsed -> new RunLast().execute(parsed));
  }
}
