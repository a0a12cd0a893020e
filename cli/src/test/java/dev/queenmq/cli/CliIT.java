package dev.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.queenmq.cli.CommandRunner.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every command, against a real broker in this JVM. */
class CliIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir static Path data;
  private static LocalBroker broker;

  @TempDir Path home;
  private CommandRunner queen;
  private String queue;

  @BeforeAll
  static void start() throws Exception {
    broker = LocalBroker.start(data, Map.of("METRICS_AGGREGATE_INTERVAL_S", "1"));
    CommandRunner runner = new CommandRunner(data).with("QUEEN_URL", broker.url());
    await().atMost(Duration.ofMinutes(2)).until(() -> runner.line("status").code() == 0);
  }

  @AfterAll
  static void stop() throws Exception {
    if (broker != null) {
      broker.close();
    }
  }

  @BeforeEach
  void runner() {
    queen = new CommandRunner(home).with("QUEEN_URL", broker.url());
    queue = "q" + UUID.randomUUID().toString().substring(0, 8);
  }

  private String done(String line) {
    Outcome outcome = queen.line(line.replace("%q", queue));
    assertThat(outcome.code()).as(line + ": " + outcome.err()).isZero();
    return outcome.out();
  }

  private JsonNode json(String line) {
    try {
      return Printer.mapper().readTree(done(line + " -o json"));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private Outcome refused(String line, int code) {
    Outcome outcome = queen.line(line.replace("%q", queue));
    assertThat(outcome.code()).as(line + ": " + outcome.out() + outcome.err()).isEqualTo(code);
    assertThat(outcome.err()).isNotEmpty();
    return outcome;
  }

  @Test
  void push_takesArguments_orLines() {
    assertThat(done("push %q '{\"n\": 1.50}' text -p lane"))
        .matches("(?s)\\S+ queued\\R\\S+ queued\\R");
    queen.input("{\"n\": 2}\n\n[1, 2]\n");
    assertThat(done("push %q -p lane").lines()).hasSize(2);
    assertThat(done("push %q 5 -t five -p lane")).isEqualToIgnoringNewLines("five queued");
    assertThat(json("push %q 5 -t five -p lane").path("status").asText()).isEqualTo("DUPLICATE");
    refused("push %q 1 2 -t x", ExitCode.USAGE);

    // As it was typed, and what is not JSON as a text.
    assertThat(
            done("pop %q -n 10 -o json").lines().map(line -> line.replaceAll(".*payload\":", "")))
        .containsExactly("{\"n\": 1.50}}", "\"text\"}", "{\"n\": 2}}", "[1, 2]}", "5}");
  }

  /** As with {@code tail -f file | queen push queue}. */
  @Test
  void push_doesNotWaitForTheEndOfItsInput() throws Exception {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    CommandRunner other = new CommandRunner(home).with("QUEEN_URL", broker.url());
    CompletableFuture<Outcome> push;
    try (PipedOutputStream pipe = new PipedOutputStream()) {
      other.input(new PipedInputStream(pipe)).output(shown);
      push = CompletableFuture.supplyAsync(() -> other.line("push " + queue + " -p lane"));
      // Nor for the end of a line that has begun.
      pipe.write("1\r\n2\n\n3".getBytes(StandardCharsets.UTF_8));
      pipe.flush();
      await()
          .atMost(PATIENCE)
          .until(() -> shown.toString(StandardCharsets.UTF_8).lines().count() == 2);
      assertThat(push).isNotDone();
      assertThat(json("messages %q")).hasSize(2);
      pipe.write("4".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(push.get(1, TimeUnit.MINUTES).code()).isZero();
    assertThat(
            done("pop %q -n 10 -o json").lines().map(line -> line.replaceAll(".*payload\":", "")))
        .containsExactly("1}", "2}", "34}");
  }

  @Test
  void pop_leases_andAckSettles() {
    assertThat(refused("pop %q", ExitCode.EMPTY).out()).isEmpty();
    done("push %q '{\"n\": 1}' -p a -t one");
    done("push %q '{\"n\": 2}' -p a -t two");
    JsonNode popped = json("pop %q -g g");
    assertThat(popped.path("transactionId").asText()).isEqualTo("one");
    assertThat(popped.path("attempt").asInt()).isEqualTo(1);
    String message = popped.path("partitionId").asText() + " one";
    String lease = " --lease " + popped.path("leaseId").asText();
    refused("pop %q -g g", ExitCode.EMPTY);

    assertThat(done("ack " + message + lease + " --status failed --error no"))
        .startsWith("one failed");
    assertThat(refused("ack " + message + lease, ExitCode.REFUSED).err())
        .contains("Invalid or expired lease");
    Outcome again = queen.line("pop " + queue + " -g g -w 10s -n 2 --ack");
    assertThat(again.out()).contains("one", "two", "{\"n\": 2}");
    assertThat(again.err()).isEmpty();
    refused("pop %q -g g", ExitCode.EMPTY);
    assertThat(done("group g -q %q")).contains("a");
    assertThat(json("group g -q %q").get(0).path("offsetLag").asInt()).isZero();
    refused("pop %q -g late --new", ExitCode.EMPTY);
  }

  @Test
  void tail_followsWithoutConsuming() throws Exception {
    done("push %q 1 -t first");
    assertThat(done("tail %q --no-follow")).contains("first");
    assertThat(done("tail %q --no-follow -n 0")).isEmpty();
    CommandRunner other = new CommandRunner(home).with("QUEEN_URL", broker.url());
    StringBuilder followed = new StringBuilder();
    Thread follower =
        new Thread(
            () ->
                followed.append(
                    other.line("tail " + queue + " --count 4 --every 50ms -o json").out()));
    follower.start();
    done("push %q 2 -t second -p other");
    done("push %q 3 -t third");
    done("push %q 4 -t fourth -p other");
    follower.join(Duration.ofMinutes(1).toMillis());
    List<String> ids =
        followed.toString().lines().map(line -> read(line).path("transactionId").asText()).toList();
    assertThat(ids).containsExactlyInAnyOrder("first", "second", "third", "fourth");
    assertThat(json("pop %q").path("transactionId").asText()).isEqualTo("first");
  }

  private static JsonNode read(String line) {
    try {
      return Printer.mapper().readTree(line);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void queues_areListed_shown_andRemoved() {
    done("push %q 1 -p a");
    done("push %q 2 -p b");
    assertThat(done("queues " + queue)).contains("QUEUE", queue);
    assertThat(json("queues " + queue).get(0).path("messages").path("total").asInt()).isEqualTo(2);
    assertThat(done("queues no-such-queue")).isEqualToIgnoringNewLines("no queues");
    assertThat(done("queue %q")).contains("leaseTime", "PARTITION", "no groups");
    assertThat(json("queue %q").path("partitionCount").asInt()).isEqualTo(2);
    refused("queue none", ExitCode.REFUSED);

    assertThat(json("configure %q leaseTime=77 --namespace shop").path("namespace").asText())
        .isEqualTo("shop");
    assertThat(done("configure %q retryLimit=9")).containsPattern("leaseTime +77");
    assertThat(done("configure %q --replace retryLimit=9")).containsPattern("leaseTime +300");
    assertThat(refused("configure %q leasTime=1", ExitCode.USAGE).err()).contains("leaseTime");
    refused("configure %q leaseTime=soon", ExitCode.USAGE);
    refused("configure %q leaseTime=-5", ExitCode.REFUSED);

    refused("clear %q", ExitCode.USAGE);
    assertThat(done("clear %q -p a --yes")).startsWith("1 messages");
    assertThat(json("clear %q --yes").path("removed").asInt()).isEqualTo(1);
    done("delete %q -p a --yes");
    refused("delete %q -p a --yes", ExitCode.REFUSED);
    done("delete %q --yes");
    refused("delete %q --yes", ExitCode.REFUSED);
  }

  @Test
  void destructiveCommands_askPeople() {
    done("push %q 1");
    queen.interactive(true).input("n\n");
    assertThat(refused("clear %q", ExitCode.REFUSED).err()).contains("Go on?", "nothing was done");
    queen.input("y\n");
    assertThat(done("clear %q")).startsWith("1 messages");
  }

  @Test
  void pauses_holdPopsBack() {
    done("push %q 1");
    assertThat(done("pause %q")).contains("is paused");
    assertThat(done("pause %q")).contains("as before");
    refused("pop %q", ExitCode.EMPTY);
    assertThat(done("queues " + queue)).contains("paused");
    assertThat(json("resume %q").path("paused").asBoolean()).isFalse();
    assertThat(refused("pause %q -g g", ExitCode.REFUSED).err())
        .contains("Consumer group not found");
    done("pop %q -g g --ack");
    done("push %q 2");
    assertThat(done("pause %q -g g")).contains("group g");
    refused("pop %q -g g", ExitCode.EMPTY);
    done("resume %q -g g");
    done("pop %q -g g");
    refused("pause none", ExitCode.REFUSED);
  }

  @Test
  void groups_areMoved_andForgotten() {
    String group = "g-" + queue;
    done("push %q 1 -p a");
    done("push %q 2 -p b");
    done("pop %q -n 5 --ack -g " + group);
    assertThat(done("groups %q")).contains(group, "stable");
    assertThat(json("groups %q").get(0).path("totalLag").asInt()).isZero();
    refused("seek " + group + " %q --end", ExitCode.USAGE);
    refused("seek " + group + " %q --yes", ExitCode.USAGE);
    assertThat(done("seek " + group + " %q --beginning --yes")).contains("2 partitions");
    assertThat(json("groups %q").get(0).path("totalLag").asInt()).isEqualTo(2);
    // What is less than a second old is not behind.
    await().untilAsserted(() -> assertThat(done("lag --min 0s -n 1000")).contains(queue));
    assertThat(json("lag --min 0s -n 1000").size()).isPositive();
    assertThat(done("lag --min 300d")).contains("no group is behind");
    done("seek " + group + " %q --to 0s --yes -p a");
    assertThat(json("groups %q").get(0).path("totalLag").asInt()).isEqualTo(1);
    done("seek " + group + " %q --end --yes");
    refused("seek none %q --end --yes", ExitCode.REFUSED);
    assertThat(done("forget " + group + " -q %q --yes")).contains("2 partitions");
    refused("forget " + group + " --yes", ExitCode.REFUSED);
    refused("group " + group, ExitCode.REFUSED);
  }

  @Test
  void leases_areSeen_andReleased() {
    done("push %q 1 -t one");
    String lease = json("pop %q").path("leaseId").asText();
    assertThat(done("leases %q")).contains(lease, "127.0.0.1");
    assertThat(json("leases %q").get(0).path("messages").asInt()).isEqualTo(1);
    assertThat(done("release " + lease + " --yes")).contains("1 partition");
    refused("release " + lease + " --yes", ExitCode.REFUSED);
    assertThat(json("pop %q").path("attempt").asInt()).isEqualTo(2);
  }

  @Test
  void messages_areFound_andDeleted() {
    done("push %q '{\"deep\": {\"n\": 1}}' -t one");
    done("push %q 2 -t two");
    assertThat(done("messages %q").lines()).hasSize(3);
    JsonNode listed = json("messages %q -n 1 --status pending --since 5m").get(0);
    assertThat(listed.path("transactionId").asText()).isEqualTo("two");
    String partition = listed.path("partitionId").asText();
    assertThat(done("message " + partition + " one")).contains("pending", "\"deep\"");
    assertThat(done("message " + partition + " one --delete --yes")).contains("is deleted");
    refused("message " + partition + " one", ExitCode.REFUSED);
    refused("message not-a-uuid one", ExitCode.USAGE);
  }

  @Test
  void deadLetters_areGivenBack_andPurged() {
    for (int i = 0; i < 5; i++) {
      done("push %q " + i + " -t t" + i);
    }
    String popped = done("pop %q -n 5 -o json");
    popped
        .lines()
        .map(CliIT::read)
        .forEach(
            message ->
                done(
                    "ack "
                        + message.path("partitionId").asText()
                        + " "
                        + message.path("transactionId").asText()
                        + " -s dlq -e broken"));
    assertThat(done("dlq %q").lines()).hasSize(6);
    assertThat(json("dlq %q -n 2").size()).isEqualTo(2);
    assertThat(done("dlq %q --errors")).containsPattern("5 +\\S+ +broken");
    assertThat(done("redrive %q t0 --yes")).startsWith("1 dead");
    queen.interactive(true);
    Outcome steps = queen.line("redrive " + queue + " --limit 2 --step 1 --yes");
    assertThat(steps.out()).startsWith("2 dead");
    assertThat(steps.err()).contains("100%", "2 of 2 redriven");
    assertThat(json("purge %q t3 --yes").path("purged").asInt()).isLessThanOrEqualTo(1);
    done("purge %q --yes");
    assertThat(done("dlq %q")).isEqualToIgnoringNewLines("no dead letters");
    refused("redrive none --yes", ExitCode.REFUSED);
  }

  @Test
  void traces_areShown() {
    done("push %q 1 -t one");
    String partition = json("messages %q").get(0).path("partitionId").asText();
    assertThat(done("trace " + partition + " one")).isEqualToIgnoringNewLines("no traces");
    assertThat(done("trace no-such-name")).isEqualToIgnoringNewLines("no traces");
    assertThat(json("trace").isArray()).isTrue();
    refused("trace not-a-uuid one", ExitCode.USAGE);
  }

  @Test
  void exportedMessages_canBeImported() throws IOException {
    queen.input(
        String.join(
            "\n", IntStream.range(0, 2_345).mapToObj(i -> "{\"n\": " + i + ".50}").toList()));
    done("push %q -p lane");
    done("push %q '\"ü\"' -p other -t umlaut");
    done("pop %q -n 10 --ack -p lane");
    Path file = home.resolve("all.jsonl");
    done("export %q " + file);
    List<String> lines = Files.readAllLines(file);
    assertThat(lines).hasSize(2_346);
    assertThat(lines.get(lines.size() - 1)).endsWith("}");
    assertThat(lines).anyMatch(line -> line.endsWith("\"payload\":{\"n\": 7.50}}"));
    assertThat(lines).anyMatch(line -> line.endsWith("\"payload\":\"ü\"}"));
    assertThat(done("groups %q")).doesNotContain("queen-export");

    String copy = queue + "-copy";
    assertThat(done("import " + copy + " " + file))
        .startsWith("2346 messages imported, 0 were there already");
    assertThat(json("import " + copy + " " + file).path("duplicates").asInt()).isEqualTo(2_346);
    String exported = done("export " + copy);
    assertThat(exported.lines().map(line -> line.replaceAll("\"createdAt\":\"[^\"]*\",", "")))
        .containsExactlyInAnyOrderElementsOf(
            lines.stream()
                .map(
                    line ->
                        line.replaceAll("\"createdAt\":\"[^\"]*\",", "")
                            .replace("\"" + queue + "\"", "\"" + copy + "\""))
                .toList());

    queen.input("{\"payload\": 1}\n{\"partition\": \"x\"}\n");
    assertThat(refused("import " + copy, ExitCode.REFUSED).err()).contains("line 2");
    refused("import " + copy + " " + home.resolve("none"), ExitCode.REFUSED);
    refused("export none", ExitCode.REFUSED);
    done("configure %q maxSize=100000");
    assertThat(refused("export %q", ExitCode.REFUSED).err()).contains("maxSize");
    assertThat(done("export %q --force").lines()).hasSize(2_346);
    assertThat(done("export %q --dlq")).isEmpty();
  }

  /** An empty pop may mean that messages wait, not that there are none. */
  @Test
  void export_isComplete_orSaysThatItIsNot() {
    assertThat(json("configure %q windowBuffer=2").path("queue").asText()).isEqualTo(queue);
    assertThat(done("export %q")).as("an empty queue").isEmpty();
    done("push %q 1 -t one");
    done("push %q 2 -t two");
    done("push %q 3 -t three");
    String partition = json("messages %q").get(0).path("partitionId").asText();
    done("message " + partition + " three --delete --yes");
    assertThat(done("export %q").lines())
        .as("the partition is held back for two seconds, and its end is deleted")
        .hasSize(2);

    done("configure %q windowBuffer=0 delayedProcessing=3600");
    assertThat(refused("export %q", ExitCode.REFUSED).err())
        .contains("messages of queue " + queue + " cannot be read now", "not complete");

    done("configure %q delayedProcessing=0");
    done("maintenance --pops on --yes");
    try {
      assertThat(refused("export %q", ExitCode.REFUSED).err()).contains("pops are in maintenance");
    } finally {
      done("maintenance --pops off");
    }
    assertThat(done("export %q").lines()).hasSize(2);
    assertThat(done("groups %q")).doesNotContain("queen-export");
  }

  @Test
  void brokers_andTheirJobs_areShown() {
    assertThat(done("status")).contains("healthy", "partitions");
    assertThat(json("status").path("health").path("status").asText()).isEqualTo("healthy");
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(done("brokers")).contains("HOST"));
    assertThat(done("upkeep")).contains("retention");
    assertThat(done("upkeep --run traces")).contains("traces removed 0");
    refused("upkeep --run nothing", ExitCode.REFUSED);
    assertThat(done("maintenance")).contains("pushes go to PostgreSQL");
    refused("maintenance --pops on", ExitCode.USAGE);
    assertThat(json("maintenance").path("popMaintenanceMode").asBoolean()).isFalse();
  }

  @Test
  void contexts_nameBrokers_andKeepTokensPrivate() throws IOException {
    CommandRunner plain = new CommandRunner(home);
    assertThat(plain.line("context").out()).isEqualToIgnoringNewLines("no contexts");
    assertThat(plain.line("context here --set " + broker.url()).code()).isZero();
    assertThat(plain.line("queues").code()).isZero();
    assertThat(plain.line("context away --set http://127.0.0.1:1 --with-token secret").out())
        .contains("away")
        .doesNotContain("secret");
    assertThat(plain.line("queues").code()).isZero();
    assertThat(plain.line("queues --context away").code()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(plain.line("context away").out()).containsPattern("\\* +away");
    assertThat(plain.line("queues").code()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(plain.line("queues --url " + broker.url()).code()).isZero();
    assertThat(plain.line("context away --remove").out()).doesNotContain("away");
    assertThat(plain.line("context nowhere").code()).isEqualTo(ExitCode.USAGE);
    Path file = home.resolve(".config/queen/contexts.json");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void errors_haveTheirCodes() {
    assertThat(refused("queues --url http://127.0.0.1:1", ExitCode.UNAVAILABLE).err())
        .contains("no broker answers: http://127.0.0.1:1: ")
        .contains("QUEEN_URL");
    assertThat(refused("quues", ExitCode.USAGE).err()).contains("queues");
    refused("queues --no-such-option", ExitCode.USAGE);
    refused("queues --url ftp://x", ExitCode.USAGE);
    refused("lag --min soon", ExitCode.USAGE);
    assertThat(queen.line("").out()).contains("push", "Exit codes");
    assertThat(queen.line("--version").out()).startsWith("queen ");
    assertThat(queen.line("pop --help").out()).contains("--wait", "--url");
  }

  @Test
  void completion_knowsAllCommands() {
    assertThat(done("completion bash")).contains("redrive", "--partition", "complete -F");
    assertThat(done("completion zsh")).startsWith("autoload").contains("redrive");
  }

  /** A payload may have line breaks between its values, and scripts read one object on a line. */
  @Test
  void lines_haveOneObjectEach_andCanBeImported(@TempDir Path folder) throws IOException {
    broker.push(queue, "lane", "one", "{\n \"a\":\r\n 1.50}");
    broker.push(queue, "lane", "two", "2");

    assertThat(done("pop %q -g g -n 2 -o json").lines())
        .hasSize(2)
        .first()
        .asString()
        .endsWith("\"payload\":{  \"a\":   1.50}}");
    Path file = folder.resolve("all.jsonl");
    done("export %q " + file);
    assertThat(Files.readAllLines(file)).hasSize(2);
    assertThat(done("import %q-copy " + file)).startsWith("2 messages imported");
  }

  /** A producer chooses names and payloads; it must not type at the terminal of an operator. */
  @Test
  void namesOfOthers_areNoCommands() {
    String id = "x'; $(touch y)";
    broker.push(queue, "lane", id, "\"\u009b2J\u202e\"");

    String tail = done("tail %q --no-follow");
    assertThat(tail).contains(id).doesNotContainPattern("[\\p{Cc}&&[^\\n\\r]]|\u202e");
    Outcome popped = queen.line("pop " + queue);
    assertThat(popped.out()).doesNotContainPattern("[\\p{Cc}&&[^\\n\\r]]|\u202e");
    assertThat(popped.err()).contains(" 'x'\\''; $(touch y)' --lease ");

    broker.push(queue, "other", "-x", "1");
    assertThat(queen.line("pop " + queue + " -p other").err())
        .containsPattern("queen ack --lease \\S+ -- \\S+ '-x'");
  }

  @Test
  void misspeltNames_areSaidToBe() {
    for (String line :
        List.of(
            "messages %q",
            "dlq %q",
            "dlq %q --errors",
            "redrive %q --yes",
            "purge %q --yes",
            "leases %q",
            "groups %q",
            "tail %q --no-follow",
            "export %q")) {
      assertThat(refused(line, ExitCode.REFUSED).err()).as(line).contains("there is no queue");
    }
    assertThat(refused("pop %q", ExitCode.EMPTY).err()).contains("there is no such queue yet");
    for (String line : List.of("queues -n 0", "pop %q -n -1", "dlq %q -n many")) {
      assertThat(refused(line, ExitCode.USAGE).err()).contains("is not a number from 1 on");
    }
    assertThat(refused("release lease --yes", ExitCode.USAGE).err())
        .contains("'lease' is not an id")
        .doesNotContain("java.");
    assertThat(refused("queues --url http://no-such-host.invalid", ExitCode.UNAVAILABLE).err())
        .contains("its host name cannot be resolved");
    refused("context a --with-token t", ExitCode.USAGE);
    refused("context a --set nonsense", ExitCode.USAGE);
    assertThat(done("context")).startsWith("no contexts");
  }

  @Test
  void anOutputThatIsClosed_endsTheCommand() {
    done("push %q 1 2 3");

    queen.outputFails("Broken pipe", 10);
    assertThat(queen.line("tail " + queue)).isEqualTo(new Outcome(ExitCode.PIPE_CLOSED, "", ""));
    queen.outputFails("Broken pipe", 10);
    assertThat(queen.line("pop " + queue + " -g g -n 3 --ack").code())
        .isEqualTo(ExitCode.PIPE_CLOSED);
    assertThat(json("leases %q"))
        .as("it was not written to the output, so it is not acked")
        .hasSize(1);
    queen.outputFails("No space left on device", 10);
    assertThat(refused("export %q", ExitCode.REFUSED).err())
        .isEqualToIgnoringNewLines("queen: cannot write the output: No space left on device");
    assertThat(done("groups %q")).doesNotContain("queen-export");
  }
}
