package dev.queenmq.cli.command.queues;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.queenmq.cli.CliException;
import dev.queenmq.cli.ExitCode;
import dev.queenmq.cli.Printer;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.Table;
import dev.queenmq.cli.command.QueenCommand;
import dev.queenmq.client.admin.queues.ConfiguredQueue;
import dev.queenmq.client.admin.queues.QueueOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "configure",
    description =
        "Sets options of a queue, and makes it if it is not there. Options that are not given stay"
            + " as they are. Without any, it shows those in force.")
public final class ConfigureCommand extends QueenCommand {

  @Parameters(index = "0", paramLabel = "QUEUE")
  private String queue = "";

  @Parameters(
      index = "1..*",
      paramLabel = "OPTION=VALUE",
      description = "For example leaseTime=60 retryLimit=5.")
  private Map<String, String> options = new LinkedHashMap<>();

  @Option(
      names = "--replace",
      description = "Options that are not given go back to their defaults.")
  private boolean replace;

  @Option(names = "--namespace", description = "The label; '' takes it away.")
  private @Nullable String namespace;

  @Option(names = "--task", description = "The label; '' takes it away.")
  private @Nullable String task;

  public ConfigureCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    QueueOptions wanted = read();
    ConfiguredQueue result =
        replace
            ? admin().queues().configure(queue, wanted)
            : admin().queues().change(queue, wanted);
    if (namespace != null || task != null) {
      result = admin().queues().label(queue, namespace, task);
    }
    Table table = new Table("OPTION", "VALUE");
    table.row("namespace", result.namespace()).row("task", result.task());
    Printer.mapper()
        .valueToTree(result.options())
        .properties()
        .forEach(option -> table.row(option.getKey(), option.getValue().asText()));
    session.show(result, table, "");
    return done();
  }

  private QueueOptions read() {
    ObjectNode known = Printer.mapper().valueToTree(QueueOptions.none());
    ObjectNode given = Printer.mapper().createObjectNode();
    options.forEach(
        (name, value) -> {
          if (!known.has(name)) {
            TreeSet<String> names = new TreeSet<>();
            known.fieldNames().forEachRemaining(names::add);
            throw new CliException(
                ExitCode.USAGE, "there is no option '" + name + "'; there are " + names);
          }
          given.put(name, value);
        });
    try {
      return Printer.mapper().convertValue(given, QueueOptions.class);
    } catch (IllegalArgumentException e) {
      throw new CliException(
          ExitCode.USAGE, "options are whole numbers, true or false: " + options);
    }
  }
}
