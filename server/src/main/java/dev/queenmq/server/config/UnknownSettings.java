package dev.queenmq.server.config;

import dev.queenmq.server.text.ClosestName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Variables that look like settings and are none. Most are only reported. One that is probably a
 * misspelt setting for protection is a mistake: the broker would run open without it.
 */
final class UnknownSettings {

  private static final String OURS = "QUEEN_";
  private static final List<String> PREFIXES = List.of(OURS, "PG_", "JWT_");

  /** What Kubernetes sets in every container for a service, by its name. */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(".+_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT_\\d+_(TCP|UDP|SCTP)(_.+)?)");

  private static final Set<String> KNOWN = known();
  private static final Set<String> PROTECTING = protecting();

  private UnknownSettings() {}

  /** A variable without meaning, and the setting that it probably stands for. */
  public record Unknown(String name, Optional<String> meant) {
    public String text() {
      return "unknown setting "
          + name
          + meant.map(", did you mean %s?"::formatted).orElse("; it has no effect");
    }

    /** Of a name without our prefixes it is not certain enough that it was meant for us. */
    public boolean isMistake() {
      return hasPrefix(name) && meant.filter(PROTECTING::contains).isPresent();
    }
  }

  /** All of an environment, by name. */
  public static List<Unknown> in(Map<String, String> environment) {
    List<Unknown> found = new ArrayList<>();
    new TreeMap<>(environment)
        .forEach(
            (name, value) -> {
              if (!KNOWN.contains(name) && !value.isBlank() && !isServiceLink(name, value)) {
                unknown(name).ifPresent(found::add);
              }
            });
    return found;
  }

  private static boolean isServiceLink(String name, String value) {
    return Setting.isServiceAddress(value) || SERVICE_LINK.matcher(name).matches();
  }

  private static Optional<Unknown> unknown(String name) {
    Optional<String> meant = meant(name);
    return hasPrefix(name) || meant.isPresent()
        ? Optional.of(new Unknown(name, meant))
        : Optional.empty();
  }

  private static boolean hasPrefix(String name) {
    return PREFIXES.stream().anyMatch(name::startsWith);
  }

  /** Some settings have the prefix and some have not, so one too many or too few is no surprise. */
  private static Optional<String> meant(String name) {
    if (!name.contains("_")) {
      return Optional.empty();
    }
    if (name.startsWith(OURS)) {
      String rest = name.substring(OURS.length());
      return KNOWN.contains(rest)
          ? Optional.of(rest)
          : ClosestName.of(name, KNOWN).or(() -> ClosestName.of(rest, KNOWN));
    }
    return KNOWN.contains(OURS + name) ? Optional.of(OURS + name) : ClosestName.of(name, KNOWN);
  }

  private static Set<String> known() {
    Set<String> names = new LinkedHashSet<>();
    for (Setting.Group group : Settings.groups()) {
      for (Setting<?> setting : group.settings()) {
        names.add(setting.name());
        names.addAll(setting.otherNames());
      }
    }
    IgnoredLegacySettings.groups().forEach(group -> names.addAll(group.names()));
    return names;
  }

  private static Set<String> protecting() {
    Set<String> names = new LinkedHashSet<>();
    Stream.of(AuthConfig.GROUP, ProtectionConfig.GROUP, EncryptionConfig.GROUP)
        .flatMap(group -> group.settings().stream())
        .map(Setting::name)
        .forEach(names::add);
    KNOWN.stream().filter(name -> name.matches("PG_(USE_)?SSL.*")).forEach(names::add);
    return names;
  }
}
