package dev.queenmq.cli.command;

import dev.queenmq.cli.CliException;
import dev.queenmq.cli.ExitCode;
import dev.queenmq.cli.Session;
import dev.queenmq.client.admin.QueenAdmin;
import dev.queenmq.client.admin.query.Paging;
import java.io.IOException;
import java.util.concurrent.Callable;

/** A command that talks to a broker. */
abstract class QueenCommand implements Callable<Integer> {
  /** The broker, and how results are shown. */
  final Session session;

  QueenCommand(Session session) {
    this.session = session;
  }

  /** Does it. Returns what the process ends with. */
  abstract int run() throws IOException;

  @Override
  public final Integer call() throws IOException {
    return run();
  }

  final QueenAdmin admin() {
    return session.admin();
  }

  /** Ends the command if there is no such queue: an empty list would hide a misspelt name. */
  final void requireQueue(String queue) {
    var unused = admin().queues().find(queue, Paging.of(1)).orElseThrow(() -> missing(queue));
  }

  static CliException missing(String queue) {
    return new CliException(ExitCode.REFUSED, "there is no queue '" + queue + "'");
  }

  /** The usual end. */
  static int done() {
    return ExitCode.DONE;
  }
}
