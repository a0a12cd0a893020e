package dev.queenmq.server.http.routing;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.queenmq.server.admin.history.TimeRange;
import dev.queenmq.server.http.admin.MessageFilters;
import dev.queenmq.server.http.admin.Page;
import dev.queenmq.server.http.admin.Ranges;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.json.Timestamps;
import dev.queenmq.server.http.json.WholeNumber;
import dev.queenmq.server.http.messages.PopDefaults;
import dev.queenmq.server.http.messages.PopQuery;
import dev.queenmq.server.http.server.HttpLimits;
import dev.queenmq.server.model.PollRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Any path and query: parameters or a refusal, and whatever was read is within its bounds. */
@ResourceLock("jazzer")
class RequestLinesFuzzTest {
  private static final HttpLimits LIMITS = HttpLimits.defaults();
  private static final PopQuery POPS = new PopQuery(LIMITS, PopDefaults.standard());
  private static final long NOW = Instant.parse("2026-11-15T12:00:00Z").toEpochMilli();
  private static final Duration HOUR = Duration.ofHours(1);
  private static final List<PathTemplate> TEMPLATES =
      Stream.of(
              "/api/v1/pop/queue/:queue",
              "/api/v1/pop/queue/:queue/partition/:partition",
              "/api/v1/messages/:partitionId/:transactionId",
              "/api/v1/consumer-groups/:group/queues/:queue/partitions/:partition/seek",
              "/api/v1/traces/by-name/:traceName")
          .map(PathTemplate::new)
          .toList();
  private static final List<Consumer<String>> QUERIES =
      List.of(
          query -> checkPop(POPS.queue(pop(query), "q")),
          query -> checkPop(POPS.partition(pop(query), "q", "p")),
          query -> checkPop(POPS.label(pop(query), queue -> true)),
          query -> checkLimit(MessageFilters.messages(query).limit(), 1000),
          query -> checkLimit(MessageFilters.deadLetters(query).limit(), 1000),
          RequestLinesFuzzTest::checkSelection,
          query -> checkRange(Ranges.of(QueryParameters.parse(query), NOW, HOUR)),
          query ->
              checkLimit(
                  Page.of(QueryParameters.parse(query, Page.PARAMETERS), 100, Page.MOST).limit(),
                  Page.MOST));

  private static QueryParameters pop(String query) {
    return QueryParameters.parse(query, PopQuery.PARAMETERS);
  }

  @Timeout(120)
  @DictionaryFile(resourcePath = "/dev/queenmq/server/http/routing/lines.dict")
  @FuzzTest
  void lines(byte[] bytes) {
    String line = new String(bytes, StandardCharsets.ISO_8859_1);
    int mark = line.indexOf('?');
    refusable(() -> path(mark < 0 ? line : line.substring(0, mark)));
    String query = line.substring(mark + 1);
    for (Consumer<String> reader : QUERIES) {
      refusable(() -> reader.accept(query));
    }
    checkText(line);
    checkMoment(line);
    checkMoment(new String(bytes, StandardCharsets.UTF_8));
    @Nullable Integer number = WholeNumber.parse(line);
    assertThat(number == null || line.trim().length() <= 32).isTrue();
  }

  private static void refusable(Runnable work) {
    try {
      work.run();
    } catch (HttpProblem problem) {
      assertThat(problem.status()).isEqualTo(400);
      assertThat(problem.text().lines()).hasSize(1);
    }
  }

  private static void path(String path) {
    List<String> parts = PathTemplate.split(path);
    for (PathTemplate template : TEMPLATES) {
      if (template.matches(parts)) {
        PathParameters parameters = template.parameters(parts);
        assertThat(parameters).isNotNull();
      }
    }
  }

  private static void checkPop(PollRequest pop) {
    assertThat(pop.batch()).isBetween(1, LIMITS.maxBatch());
    assertThat(pop.maxPartitions()).isBetween(1, LIMITS.maxPartitions());
    assertThat(pop.patience()).isBetween(Duration.ZERO, LIMITS.maxWait());
    assertThat(Texts.name("group", pop.group())).isNotEmpty();
  }

  private static void checkLimit(int limit, int most) {
    assertThat(limit).isBetween(1, most);
  }

  /** A request that names messages gets no others. */
  private static void checkSelection(String query) {
    boolean named = !QueryParameters.parse(query).text("transactionIds").isEmpty();
    assertThat(MessageFilters.selection(query).transactionIds().isEmpty()).isEqualTo(!named);
  }

  private static void checkRange(TimeRange range) {
    assertThat(range.from()).isBeforeOrEqualTo(range.to());
    assertThat(range.bucketMinutes()).isBetween(1, 360);
    assertReadable(range.from());
    assertReadable(range.to());
  }

  /** Decoding is the inverse of encoding, for what can be decoded. */
  private static void checkText(String line) {
    @Nullable String decoded = Percent.decodePath(line);
    if (decoded != null) {
      assertThat(Percent.decodePath(encoded(decoded))).isEqualTo(decoded);
      assertThat(Percent.decodeQuery(encoded(decoded))).isEqualTo(decoded);
    }
  }

  private static String encoded(String text) {
    StringBuilder encoded = new StringBuilder();
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      encoded.append("%%%02X".formatted(each & 0xff));
    }
    return encoded.toString();
  }

  private static void checkMoment(String text) {
    @Nullable Instant moment = Timestamps.parse(text);
    if (moment != null) {
      assertReadable(moment);
    }
  }

  /** We read what we write. */
  private static void assertReadable(Instant moment) {
    Instant millis = moment.truncatedTo(ChronoUnit.MILLIS);
    Instant micros = moment.truncatedTo(ChronoUnit.MICROS);
    assertThat(Timestamps.parse(Timestamps.millis(moment))).isEqualTo(millis);
    assertThat(Timestamps.parse(Timestamps.micros(moment))).isEqualTo(micros);
    assertThat(Timestamps.parse(Timestamps.offset(moment))).isEqualTo(micros);
  }
}
