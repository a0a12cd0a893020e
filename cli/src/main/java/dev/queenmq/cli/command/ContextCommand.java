package dev.queenmq.cli.command;

import dev.queenmq.cli.CliException;
import dev.queenmq.cli.Contexts;
import dev.queenmq.cli.ExitCode;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.Table;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "context",
    description =
        "Names for brokers. Without arguments it lists them, with a name it uses that one from now"
            + " on.")
public final class ContextCommand extends QueenCommand {

  /** What to do with the one that is named. */
  static final class Change {
    @Option(names = "--set", paramLabel = "URL", description = "Add or change it.")
    private @Nullable String set;

    @Option(names = "--remove", description = "Remove it.")
    private boolean remove;
  }

  @Parameters(arity = "0..1", paramLabel = "NAME")
  private @Nullable String name;

  @ArgGroup private @Nullable Change change;

  @Option(
      names = "--with-token",
      paramLabel = "TOKEN",
      description = "The bearer token to keep with --set, in a file that only you may read.")
  private @Nullable String token;

  public ContextCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    if (token != null && (change == null || change.set == null)) {
      throw new CliException(ExitCode.USAGE, "--with-token goes with --set");
    }
    Contexts contexts = Contexts.of(session.terminal());
    if (name != null) {
      change(contexts, name);
    } else if (change != null) {
      throw new CliException(ExitCode.USAGE, "name the context");
    }
    Table table = new Table("", "CONTEXT", "URL", "TOKEN");
    contexts
        .all()
        .forEach(
            (each, context) ->
                table.row(
                    contexts.current().filter(each::equals).isPresent() ? "*" : "",
                    each,
                    context.url(),
                    context.token() == null ? "" : "yes"));
    session.show(new TreeSet<>(contexts.all().keySet()), table, "no contexts");
    return done();
  }

  private void change(Contexts contexts, String context) {
    if (change == null) {
      contexts.use(context);
    } else if (change.remove) {
      contexts.remove(context);
    } else if (change.set != null) {
      Session.checkUrls(change.set);
      contexts.put(context, new Contexts.Context(change.set, token));
    }
  }
}
