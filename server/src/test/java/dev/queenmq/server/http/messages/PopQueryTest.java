package dev.queenmq.server.http.messages;

import static dev.queenmq.server.http.messages.Codecs.assertBadRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.http.routing.QueryParameters;
import dev.queenmq.server.http.server.HttpLimits;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PopQueryTest {
  private final PopQuery pop = new PopQuery(HttpLimits.defaults(), PopDefaults.standard());

  private PollRequest queue(String query) {
    return pop.queue(QueryParameters.parse(query), "q");
  }

  @Test
  void queue_hasTheDefaultsOfTheContract() {
    assertThat(pop.queue(QueryParameters.parse(null), "q"))
        .isEqualTo(
            new PollRequest(
                new PollTarget.Queue("q"),
                "__QUEUE_MODE__",
                1,
                1,
                false,
                new Subscription.All(),
                Duration.ZERO));
  }

  @ParameterizedTest
  @CsvSource({
    "batch=5,5",
    "batch=007,7",
    "batch=10000,10000",
    "batch=,1",
    "batch,1",
    "batch=3&batch=4,3",
    "&&batch=3,3"
  })
  void batch_isANumber(String query, int batch) {
    assertThat(queue(query).batch()).isEqualTo(batch);
  }

  @ParameterizedTest
  @CsvSource({
    "timeout=5,0",
    "wait=true,30000",
    "wait=1&timeout=5,5",
    "wait=0&timeout=5,0",
    "wait=TRUE&timeout=0,0",
    "wait=true&timeout=120000,120000",
    "wait=true&timeout=,30000"
  })
  void timeout_isOnlyForThoseWhoWait(String query, long millis) {
    assertThat(queue(query).patience()).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "consumerGroup=a+b%2Bc|a b+c",
        "consumerGroup=%F0%9F%98%80|\ud83d\ude00",
        "consumerGroup=|__QUEUE_MODE__"
      })
  void group_isDecoded(String query, String group) {
    assertThat(queue(query).group()).isEqualTo(group);
  }

  @ParameterizedTest
  @CsvSource({
    "subscriptionMode=new",
    "subscriptionMode=new-only",
    "subscriptionFrom=now",
    "subscriptionFrom=now&subscriptionMode=all"
  })
  void subscription_canBeNew(String query) {
    assertThat(queue("consumerGroup=g&" + query).subscription()).isEqualTo(new Subscription.New());
    assertThat(queue(query).subscription()).isEqualTo(new Subscription.All());
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-15,2026-11-15T00:00:00Z",
    "2026-11-15T10:20:30,2026-11-15T10:20:30Z",
    "2026-11-15T10:20,2026-11-15T10:20:00Z",
    "2026-11-15+10:20:30,2026-11-15T10:20:30Z",
    "2026-11-15T10:20:30.123456Z,2026-11-15T10:20:30.123456Z",
    "2026-11-15T10:20:30%2B02:00,2026-11-15T08:20:30Z",
    "2026-11-15T10:20:30+02:00,2026-11-15T08:20:30Z",
    "2026-11-15T10:20:30-02:00,2026-11-15T12:20:30Z"
  })
  void subscription_canBeAMoment(String from, Instant moment) {
    assertThat(
            queue("consumerGroup=g&subscriptionMode=new&subscriptionFrom=" + from).subscription())
        .isEqualTo(new Subscription.After(moment));
  }

  @Test
  void subscription_mustBeUnderstood() {
    assertBadRequest(
        () -> queue("consumerGroup=g&subscriptionFrom=yesterday"),
        "subscriptionFrom must be 'now' or an ISO 8601 timestamp");
    assertBadRequest(
        () -> queue("subscriptionFrom=yesterday"),
        "subscriptionFrom must be 'now' or an ISO 8601 timestamp");
    assertBadRequest(
        () -> queue("subscriptionMode=lastest"), "subscriptionMode must be all, new or new-only");
  }

  @ParameterizedTest
  @CsvSource({
    "batch=0,batch must be a whole number between 1 and 10000",
    "batch=-7,batch must be a whole number between 1 and 10000",
    "batch=-,batch must be a whole number between 1 and 10000",
    "batch=99999999999999999999,batch must be a whole number between 1 and 10000",
    "batch=10abc,batch must be a whole number between 1 and 10000",
    "batch=+3,batch must be a whole number between 1 and 10000",
    "timeout=120001,timeout must be a whole number between 0 and 120000",
    "timeout=4294967296,timeout must be a whole number between 0 and 120000",
    "partitions=1e1,partitions must be a whole number between 1 and 10000",
    "wait=yes,'wait must be true, false, 1 or 0'"
  })
  void values_areReadStrictly(String query, String text) {
    assertBadRequest(() -> queue(query), text);
  }

  /** Clients ask for half a minute: whoever allows less must not turn them away. */
  @Test
  void timeout_isCutToWhatTheOperatorAllows() {
    HttpLimits limits = HttpLimits.defaults().withMaxWait(Duration.ofSeconds(10));
    PopQuery shorter = new PopQuery(limits, PopDefaults.standard());
    assertThat(shorter.queue(QueryParameters.parse("wait=1&timeout=30000"), "q").patience())
        .isEqualTo(Duration.ofSeconds(10));
    PopQuery longer =
        new PopQuery(limits.withMaxWait(Duration.ofMinutes(10)), PopDefaults.standard());
    assertThat(longer.queue(QueryParameters.parse("wait=1&timeout=600000"), "q").patience())
        .isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void defaults_canBeOthers() {
    PopQuery other =
        new PopQuery(
            HttpLimits.defaults(), new PopDefaults(7, Duration.ofHours(1), new Subscription.New()));
    PollRequest request = other.queue(QueryParameters.parse("wait=true&consumerGroup=g"), "q");
    assertThat(request.batch()).isEqualTo(7);
    assertThat(request.patience()).isEqualTo(HttpLimits.defaults().maxWait());
    assertThat(request.subscription()).isEqualTo(new Subscription.New());
  }

  @Test
  void names_areChecked() {
    String tooLong = "x".repeat(256);
    assertBadRequest(
        () -> queue("consumerGroup=" + tooLong), "consumerGroup is longer than 255 characters");
    assertBadRequest(() -> queue("consumerGroup=%00"), "consumerGroup contains the character NUL");
    assertBadRequest(
        () -> pop.queue(QueryParameters.parse(null), tooLong),
        "queue is longer than 255 characters");
    assertBadRequest(
        () -> pop.partition(QueryParameters.parse(null), "q", tooLong),
        "partition is longer than 255 characters");
    assertBadRequest(() -> queue("a=%4"), "The query is not percent-encoded UTF-8");
    assertBadRequest(() -> queue("a=%ff"), "The query is not percent-encoded UTF-8");
  }

  @Test
  void partition_takesOnePartition() {
    PollRequest request = pop.partition(QueryParameters.parse("partitions=9"), "q", "p");
    assertThat(request.target()).isEqualTo(new PollTarget.Partition("q", "p"));
    assertThat(request.maxPartitions()).isEqualTo(1);
    assertThat(queue("partitions=9").maxPartitions()).isEqualTo(9);
    assertThat(queue("autoAck=true").autoAck()).isTrue();
  }

  @Test
  void label_needsANamespaceOrATask() {
    assertThat(
            pop.label(QueryParameters.parse("task=t&namespace="), PollTarget.EVERY_QUEUE).target())
        .isEqualTo(new PollTarget.Label(Optional.empty(), Optional.of("t")));
    assertBadRequest(
        () -> pop.label(QueryParameters.parse("batch=1"), PollTarget.EVERY_QUEUE),
        "namespace or task is required");
  }
}
