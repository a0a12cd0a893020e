package dev.queenmq.cli.command;

import dev.queenmq.cli.CliException;
import dev.queenmq.cli.ExitCode;
import dev.queenmq.cli.Session;
import dev.queenmq.client.admin.QueenAdmin;
import dev.queenmq.client.admin.query.Paging;
import java.io.IOException;
import java.util.concurrent.Callable;

/** A command that talks to a broker. */
public abstract class QueenCommand implements Callable<Integer> {
  /** The broker, and how results are shown. */
  protected final Session session;

  protected QueenCommand(Session session) {
    this.session = session;
  }

  /** Does it. Returns what the process ends with. */
  protected abstract int run() throws IOException;

  @Override
  public final Integer call() throws IOException {
    return run();
  }

  protected final QueenAdmin admin() {
    return session.admin();
  }

  /** Ends the command if there is no such queue: an empty list would hide a misspelt name. */
  protected final void requireQueue(String queue) {
    var unused = admin().queues().find(queue, Paging.of(1)).orElseThrow(() -> missing(queue));
  }

  protected static CliException missing(String queue) {
    return new CliException(ExitCode.REFUSED, "there is no queue '" + queue + "'");
  }

  /** The usual end. */
  protected static int done() {
    return ExitCode.DONE;
  }
}
