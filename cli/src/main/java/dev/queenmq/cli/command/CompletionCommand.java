package dev.queenmq.cli.command;

import dev.queenmq.cli.Session;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "completion",
    description = "Writes a script that completes commands and options in your shell.",
    footer = {"", "bash: source <(queen completion bash)", "zsh:  source <(queen completion zsh)"})
public final class CompletionCommand extends QueenCommand {

  /** Shells that we know. */
  enum Shell {
    bash,
    zsh
  }

  @Parameters(paramLabel = "bash|zsh")
  private Shell shell = Shell.bash;

  @Spec private @Nullable CommandSpec spec;

  public CompletionCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    if (spec != null) {
      if (shell == Shell.zsh) {
        // The script is for bash; zsh reads it once its own completion is set up.
        session.out().println("autoload -U +X compinit && compinit");
      }
      session.out().println(AutoComplete.bash("queen", spec.root().commandLine()));
    }
    return done();
  }
}
