package dev.queenmq.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.config.ServerConfig;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files below {@code deploy}: they can be read, fit each other, and name what exists. */
class DeploymentFilesTest {
  private static final Path ROOT = Path.of("..");
  private static final Path DEPLOY = ROOT.resolve("deploy");
  private static final String KEY = "0123456789abcdef".repeat(4);

  /** What a stop takes after the drain, at most; and as much again for what cannot be foreseen. */
  private static final Duration STOP = Duration.ofSeconds(18);

  /** For the script that starts a broker, not for the broker. */
  private static final String OF_THE_LAUNCHER = "JAVA_OPTS";

  @Test
  void everyYamlFile_canBeRead() {
    assertThat(yamlFiles())
        .hasSizeGreaterThan(8)
        .allSatisfy(file -> assertThat(all(file)).isNotEmpty());
  }

  @Test
  void compose_givesBrokersSettingsThatExist_andTimeToStop() {
    for (String file : List.of("compose/single.yml", "compose/cluster.yml")) {
      Map<String, Object> services = map(one(file), "services");
      List<Map<String, Object>> brokers =
          services.values().stream()
              .map(DeploymentFilesTest::asMap)
              .filter(service -> "queenmq".equals(service.get("image")))
              .toList();
      assertThat(brokers).as(file).hasSize(file.contains("single") ? 1 : 3);
      for (Map<String, Object> broker : brokers) {
        Map<String, String> environment = new HashMap<>();
        map(broker, "environment")
            .forEach((name, value) -> environment.put(name, substituted(String.valueOf(value))));
        ServerConfig config = assertAccepted(environment);
        assertThat(seconds(Objects.requireNonNull(broker.get("stop_grace_period"))))
            .isGreaterThanOrEqualTo(config.http().drain().plus(STOP));
        assertThat(broker).containsEntry("read_only", true).containsKey("tmpfs");
      }
      assertThat(brokers.stream().map(broker -> broker.get("volumes")).distinct())
          .as("a spool for each broker")
          .hasSize(brokers.size());
    }
  }

  @Test
  void proxy_waitsForPolls_andAsksARouteThatExists() throws IOException {
    String text = Files.readString(DEPLOY.resolve("compose/haproxy.cfg"));

    assertThat(seconds(found(text, "timeout server (\\d+s)")))
        .isGreaterThan(ServerConfig.read(Map.of(), List.of()).pop().maxWait());
    assertThat(paths()).contains(found(text, "uri (\\S+)"));
    assertThat(text).contains("queen-a:6632", "queen-b:6632", "queen-c:6632");
  }

  @Test
  void kubernetes_givesBrokersSettingsThatExist_andTimeToStop() throws IOException {
    Map<String, Object> pod =
        map(map(one("kubernetes/statefulset.yaml"), "spec"), "template", "spec");
    Map<String, Object> container = asMap(list(pod, "containers").get(0));
    Map<String, String> environment = variables(DEPLOY.resolve("kubernetes/settings.env"), false);
    for (Object each : list(container, "env")) {
      environment.put(String.valueOf(asMap(each).get("name")), KEY);
    }

    ServerConfig config = assertAccepted(environment);

    assertThat(
            Duration.ofSeconds(
                (int) Objects.requireNonNull(pod.get("terminationGracePeriodSeconds"))))
        .isGreaterThanOrEqualTo(config.http().drain().plus(STOP));
    for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
      assertThat(paths()).contains((String) map(container, probe, "httpGet").get("path"));
    }
    assertThat(list(container, "ports"))
        .extracting(port -> asMap(port).get("containerPort"))
        .containsExactly(config.http().port(), 6633);
    assertThat(map(container, "securityContext"))
        .containsEntry("readOnlyRootFilesystem", true)
        .containsEntry("allowPrivilegeEscalation", false);
  }

  @Test
  void kubernetes_refersToWhatIsThere() {
    Map<String, Object> kustomization = one("kubernetes/kustomization.yaml");
    List<Map<String, Object>> objects =
        list(kustomization, "resources").stream()
            .flatMap(file -> all(DEPLOY.resolve("kubernetes").resolve((String) file)).stream())
            .map(DeploymentFilesTest::asMap)
            .toList();
    Map<String, Object> set = ofKind(objects, "StatefulSet").get(0);
    Map<String, Object> labels = map(set, "spec", "template", "metadata", "labels");
    Map<String, Object> container =
        asMap(list(map(set, "spec", "template", "spec"), "containers").get(0));

    assertThat(map(set, "spec", "selector", "matchLabels")).isEqualTo(labels);
    assertThat(ofKind(objects, "Service"))
        .hasSize(2)
        .allSatisfy(service -> assertThat(map(service, "spec", "selector")).isEqualTo(labels))
        .extracting(service -> map(service, "metadata").get("name"))
        .contains(map(set, "spec").get("serviceName"))
        .contains(
            variables(DEPLOY.resolve("kubernetes/settings.env"), false).get("QUEEN_UDP_PEERS"));
    assertThat(
            map(ofKind(objects, "PodDisruptionBudget").get(0), "spec", "selector", "matchLabels"))
        .isEqualTo(labels);
    assertThat(map(ofKind(objects, "NetworkPolicy").get(0), "spec", "podSelector", "matchLabels"))
        .isEqualTo(labels);
    String settings =
        (String) map(asMap(list(container, "envFrom").get(0)), "configMapRef").get("name");
    assertThat(list(kustomization, "configMapGenerator"))
        .extracting(each -> asMap(each).get("name"))
        .containsExactly(settings);
    assertThat(list(kustomization, "images"))
        .extracting(each -> asMap(each).get("name"))
        .containsExactly(container.get("image"));
  }

  @Test
  void systemd_givesTheBrokerSettingsThatExist_andTimeToStop() throws IOException {
    String unit = Files.readString(DEPLOY.resolve("systemd/queen.service"));
    Map<String, String> environment = variables(DEPLOY.resolve("systemd/queen.env"), true);
    environment.replaceAll((name, value) -> value.isEmpty() ? KEY : value);
    found(unit, "Environment=(\\S+)")
        .lines()
        .map(line -> line.split("=", 2))
        .forEach(pair -> environment.put(pair[0], pair[1]));

    ServerConfig config = assertAccepted(environment);

    assertThat(seconds(found(unit, "TimeoutStopSec=(\\d+)") + "s"))
        .isGreaterThanOrEqualTo(config.http().drain().plus(STOP));
    // The broker's PostgreSQL must not hear the signal before its last answers are given.
    assertThat(unit).contains("\nKillMode=mixed\n").doesNotContain("User=root");
  }

  @Test
  void image_isMadeOfTheDistribution_andRunsWithoutRights() throws IOException {
    String file = Files.readString(DEPLOY.resolve("docker/Dockerfile"));
    String version = found(Files.readString(ROOT.resolve("pom.xml")), "<version>([^<]+)</version>");

    assertThat(found(file, "ARG DISTRIBUTION=(\\S+)")).isEqualTo("queen-" + version + ".tar.gz");
    assertThat(found(file, "\nUSER (\\S+)\n")).matches("[1-9]\\d*:[1-9]\\d*");
    assertThat(found(file, "EXPOSE (.*)\n")).isEqualTo("6632/tcp 6633/udp");
    assertThat(paths())
        .contains(found(Files.readString(DEPLOY.resolve("docker/health")), ":-(/[a-z/]+)}"));
    Map<String, String> environment = new HashMap<>();
    Matcher pairs =
        Pattern.compile("([A-Z_]+)=(\\S+)").matcher(found(file, "ENV ((?:.*\\\\\n)*.*)"));
    while (pairs.find()) {
      environment.put(pairs.group(1), pairs.group(2));
    }
    assertThat(environment).isNotEmpty();
    assertAccepted(environment);
  }

  /** Fails for names that a broker does not know, and for values that it does not take. */
  private static ServerConfig assertAccepted(Map<String, String> environment) {
    String help = ServerConfig.help();
    assertThat(environment.keySet())
        .allSatisfy(
            name -> {
              if (!name.equals(OF_THE_LAUNCHER)) {
                assertThat(help).containsPattern("\n  " + Pattern.quote(name) + "[ \n]");
              }
            });
    return ServerConfig.read(environment, List.of());
  }

  /** {@code NAME=value} lines; with those that are commented out, if wanted. */
  private static Map<String, String> variables(Path file, boolean withExamples) {
    Pattern line = Pattern.compile((withExamples ? "#?" : "") + "([A-Z_]+)=(.*)");
    Map<String, String> found = new HashMap<>();
    for (String each : read(file).lines().toList()) {
      Matcher matcher = line.matcher(each);
      if (matcher.matches()) {
        found.put(matcher.group(1), matcher.group(2));
      }
    }
    assertThat(found).isNotEmpty();
    return found;
  }

  /** As compose does with the variables of its own file: the default, or a secret. */
  private static String substituted(String value) {
    Matcher variable = Pattern.compile("\\$\\{[A-Z_]+(:-|:\\?)([^}]*)}").matcher(value);
    return variable.replaceAll(found -> found.group(1).equals(":-") ? found.group(2) : KEY);
  }

  private static List<String> paths() {
    JsonObject description = new JsonObject(read(Path.of("src/main/resources/openapi.json")));
    return List.copyOf(description.getJsonObject("paths").fieldNames());
  }

  private static Duration seconds(Object text) {
    return Duration.ofSeconds(Long.parseLong(String.valueOf(text).replaceFirst("s$", "")));
  }

  private static String found(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as(pattern).isTrue();
    return matcher.group(1);
  }

  private static List<Path> yamlFiles() {
    try (Stream<Path> files = Files.walk(DEPLOY)) {
      return files.filter(file -> file.toString().matches(".*\\.ya?ml")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Object> one(String file) {
    List<Object> documents = all(DEPLOY.resolve(file));
    assertThat(documents).hasSize(1);
    return asMap(documents.get(0));
  }

  private static List<Object> all(Path file) {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    List<Object> documents = new ArrayList<>();
    new Yaml(new SafeConstructor(options)).loadAll(read(file)).forEach(documents::add);
    return documents;
  }

  private static List<Map<String, Object>> ofKind(List<Map<String, Object>> objects, String kind) {
    List<Map<String, Object>> found =
        objects.stream().filter(each -> kind.equals(each.get("kind"))).toList();
    assertThat(found).as(kind).isNotEmpty();
    return found;
  }

  private static Map<String, Object> map(Map<String, Object> from, String... keys) {
    Map<String, Object> here = from;
    for (String key : keys) {
      assertThat(here).containsKey(key);
      here = asMap(Objects.requireNonNull(here.get(key)));
    }
    return here;
  }

  private static List<?> list(Map<String, Object> from, String key) {
    assertThat(from.get(key)).as(key).isInstanceOf(List.class);
    return (List<?>) Objects.requireNonNull(from.get(key));
  }

  private static Map<String, Object> asMap(Object value) {
    Map<String, Object> copy = new HashMap<>();
    ((Map<?, ?>) value).forEach((name, each) -> copy.put((String) name, each));
    return copy;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
