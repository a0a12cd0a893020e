package dev.queenmq.server.http.messages;

import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.json.Timestamps;
import dev.queenmq.server.http.json.UuidText;
import dev.queenmq.server.http.routing.QueryParameters;
import dev.queenmq.server.http.server.HttpLimits;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/** Reads what a pop asks for from its path and query. */
public final class PopQuery {
  public static final KnownNames PARAMETERS =
      KnownNames.parameters(
          "batch",
          "partitions",
          "wait",
          "timeout",
          "pollId",
          "consumerGroup",
          "autoAck",
          "subscriptionMode",
          "subscriptionFrom",
          "namespace",
          "task");

  /**
   * The timeout that clients may ask for even where the operator allows less: most ask for 30
   * seconds.
   */
  private static final int USUAL_MAX_TIMEOUT = 120_000;

  private static final Subscription FROM_THE_START = new Subscription.All();

  private final HttpLimits limits;
  private final PopDefaults defaults;

  public PopQuery(HttpLimits limits, PopDefaults defaults) {
    this.limits = limits;
    this.defaults = defaults;
  }

  public PollRequest queue(QueryParameters query, String queue) {
    return request(query, new PollTarget.Queue(Texts.queue("queue", queue)), partitions(query));
  }

  public PollRequest partition(QueryParameters query, String queue, String partition) {
    PollTarget target =
        new PollTarget.Partition(Texts.queue("queue", queue), Texts.name("partition", partition));
    // One partition is one, whatever the client asks for; it must be a number all the same.
    return request(query, target, Math.min(1, partitions(query)));
  }

  /**
   * A pop from queues with labels.
   *
   * @param visible which of the queues it may take from
   */
  public PollRequest label(QueryParameters query, Predicate<String> visible) {
    Optional<String> namespace = label(query, "namespace");
    Optional<String> task = label(query, "task");
    if (namespace.isEmpty() && task.isEmpty()) {
      throw HttpProblem.badRequest("namespace or task is required");
    }
    return request(query, new PollTarget.Label(namespace, task, visible), partitions(query));
  }

  /** The name by which a poll of a queue can be ended, if it has one. */
  static Optional<NamedPolls.Name> name(QueryParameters query, String queue) {
    String id = query.text("pollId");
    return id.isEmpty() ? Optional.empty() : Optional.of(name(queue, id));
  }

  static NamedPolls.Name name(String queue, String id) {
    UUID uuid = UuidText.parse(id);
    if (uuid == null) {
      throw HttpProblem.badRequest("pollId must be a UUID");
    }
    return new NamedPolls.Name(queue, uuid);
  }

  private static Optional<String> label(QueryParameters query, String name) {
    return Optional.of(Texts.label(name, query.text(name))).filter(text -> !text.isEmpty());
  }

  private int partitions(QueryParameters query) {
    return query.number("partitions", 1, limits.maxPartitions(), 1);
  }

  private PollRequest request(QueryParameters query, PollTarget target, int partitions) {
    String given = query.text("consumerGroup");
    String group = given.isEmpty() ? AckDraft.QUEUE_MODE : Texts.name("consumerGroup", given);
    Subscription subscription = subscription(query);
    Duration patience = patience(query);
    return new PollRequest(
        target,
        group,
        query.number("batch", 1, limits.maxBatch(), defaults.batch()),
        partitions,
        query.flag("autoAck"),
        group.equals(AckDraft.QUEUE_MODE) ? FROM_THE_START : subscription,
        query.flag("wait") ? patience : Duration.ZERO);
  }

  /** Where the operator allows less than usual, the answer comes earlier: clients ask again. */
  private Duration patience(QueryParameters query) {
    int most = (int) Math.min(Integer.MAX_VALUE, limits.maxWait().toMillis());
    int usual = (int) Math.min(most, defaults.timeout().toMillis());
    int asked = query.number("timeout", 0, Math.max(USUAL_MAX_TIMEOUT, most), usual);
    return Duration.ofMillis(Math.min(most, asked));
  }

  private Subscription subscription(QueryParameters query) {
    Subscription mode = mode(query);
    String from = query.text("subscriptionFrom");
    if (from.equals("now")) {
      return new Subscription.New();
    }
    if (!from.isEmpty()) {
      Instant moment = Timestamps.parse(from);
      if (moment == null) {
        throw HttpProblem.badRequest("subscriptionFrom must be 'now' or an ISO 8601 timestamp");
      }
      return new Subscription.After(moment);
    }
    return mode;
  }

  private Subscription mode(QueryParameters query) {
    return switch (query.text("subscriptionMode")) {
      case "" -> defaults.subscription();
      case "new", "new-only" -> new Subscription.New();
      case "all" -> FROM_THE_START;
      default -> throw HttpProblem.badRequest("subscriptionMode must be all, new or new-only");
    };
  }
}
