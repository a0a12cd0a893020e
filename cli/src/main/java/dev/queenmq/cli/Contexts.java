package dev.queenmq.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The brokers that a person works with, by names of theirs. They are kept in one file, which only
 * its owner may read because of the tokens in it.
 */
public final class Contexts {

  /**
   * A broker.
   *
   * @param url of the broker; several with commas between
   * @param token null for none
   */
  public record Context(String url, @Nullable String token) {

    /** Without the token, which belongs in no log. */
    @Override
    public String toString() {
      return "Context[" + url + "]";
    }
  }

  private final Path file;
  private final Map<String, Context> all = new TreeMap<>();
  private @Nullable String current;

  private Contexts(Path file) {
    this.file = file;
  }

  /** Those in the file of a user; none if there is no file. */
  public static Contexts of(Terminal terminal) {
    String config = terminal.environment().getOrDefault("XDG_CONFIG_HOME", "");
    Path folder = config.isEmpty() ? terminal.home().resolve(".config") : Path.of(config);
    Contexts contexts = new Contexts(folder.resolve("queen").resolve("contexts.json"));
    contexts.read();
    return contexts;
  }

  private void read() {
    if (!Files.exists(file)) {
      return;
    }
    try {
      JsonNode root = Printer.MAPPER.readTree(file.toFile());
      current = root.path("current").textValue();
      root.path("contexts")
          .properties()
          .forEach(
              each ->
                  all.put(
                      each.getKey(),
                      new Context(
                          each.getValue().path("url").asText(),
                          each.getValue().path("token").textValue())));
    } catch (IOException e) {
      throw new CliException(ExitCode.USAGE, "cannot read " + file + ": " + e.getMessage());
    }
  }

  /** All contexts, by name. */
  public Map<String, Context> all() {
    return all;
  }

  /** The name of the one that is used unless another is named. */
  public Optional<String> current() {
    return Optional.ofNullable(current);
  }

  /** The one with a name. */
  public Context get(String name) {
    Context found = all.get(name);
    if (found == null) {
      throw new CliException(
          ExitCode.USAGE, "there is no context '" + name + "'; `queen context` lists them");
    }
    return found;
  }

  /** Uses another one from now on. */
  public void use(String name) {
    get(name);
    current = name;
    write();
  }

  /** Adds or replaces one; the first is used from now on. */
  public void put(String name, Context context) {
    all.put(name, context);
    if (current == null) {
      current = name;
    }
    write();
  }

  /** Removes one. */
  public void remove(String name) {
    get(name);
    all.remove(name);
    if (name.equals(current)) {
      current = null;
    }
    write();
  }

  private void write() {
    ObjectNode root = Printer.MAPPER.createObjectNode();
    root.put("current", current);
    ObjectNode contexts = root.putObject("contexts");
    all.forEach(
        (name, context) -> {
          ObjectNode each = contexts.putObject(name).put("url", context.url());
          if (context.token() != null) {
            each.put("token", context.token());
          }
        });
    try {
      Files.createDirectories(file.getParent());
      Path next = file.resolveSibling(file.getFileName() + ".new");
      Files.deleteIfExists(next);
      if (Files.getFileStore(file.getParent()).supportsFileAttributeView("posix")) {
        Files.createFile(
            next,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
      Files.writeString(next, root.toPrettyString() + System.lineSeparator());
      Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
