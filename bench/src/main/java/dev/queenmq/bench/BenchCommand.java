package dev.queenmq.bench;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What all commands share: where they print, and which PostgreSQL they use. */
public abstract class BenchCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private PostgresOptions postgres = new PostgresOptions();

  /** Where the figures go. */
  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Where progress and errors go. */
  protected final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Says how it goes. */
  protected final void say(String text) {
    err().println(text);
    err().flush();
  }

  /** Which PostgreSQL it runs on. */
  protected final PostgresOptions postgres() {
    return postgres;
  }

  /** An option that cannot be. */
  protected final ParameterException wrong(String what) {
    return new ParameterException(spec.commandLine(), what);
  }

  /** Adds to what was missed. */
  protected static void miss(List<String> missed, boolean isMissed, String what) {
    if (isMissed) {
      missed.add(what);
    }
  }

  /** Prints what was missed; the exit code. */
  protected final int conclude(List<String> missed) {
    out().println(missed.isEmpty() ? "Done." : "MISSED: " + missed);
    out().flush();
    return missed.isEmpty() ? 0 : 1;
  }
}
