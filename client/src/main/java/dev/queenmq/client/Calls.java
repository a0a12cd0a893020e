package dev.queenmq.client;

import com.fasterxml.jackson.databind.JavaType;
import dev.queenmq.client.internal.AnswerItems;
import dev.queenmq.client.internal.ChosenBroker;
import dev.queenmq.client.internal.FieldName;
import dev.queenmq.client.internal.Json;
import dev.queenmq.client.internal.JsonText;
import dev.queenmq.client.internal.Listeners;
import dev.queenmq.client.internal.PopAnswer;
import dev.queenmq.client.internal.Request;
import dev.queenmq.client.internal.Response;
import dev.queenmq.client.internal.Transport;
import dev.queenmq.client.internal.WrittenText;
import dev.queenmq.client.internal.consumer.Disposition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The calls of the message protocol: from our words to JSON and back. */
final class Calls {
  private static final String LEASE_LOST = "Invalid or expired lease";

  /**
   * What a broker says of a lease that cannot be extended. Other answers with the same status, such
   * as that of an unknown path, say nothing about the lease.
   */
  private static final Set<String> LEASE_OVER = Set.of("Lease not found", "Lease already expired");

  /** Of a push beside its items, each of which counts a comma. */
  private static final int PUSH_BYTES = "{\"items\":[]}".length() - 1;

  /** The broker answers a waiting pop in time; at most this is for the way there and back. */
  private static final Duration BESIDES_WAITING = Duration.ofSeconds(10);

  /** How long the request may take that ends a waiting pop. */
  private static final Duration END_OF_POP = Duration.ofSeconds(5);

  private final Transport transport;
  private final Payloads payloads;
  private final List<ClientListener> listeners;
  private final @Nullable Tracing tracing;
  private final int maxPushCount;
  private final int maxPushBytes;
  private final Duration besidesWaiting;
  private final PushGatherer gatherer;
  private final Message.Actions actions = new DirectActions();

  Calls(
      Transport transport,
      Payloads payloads,
      List<ClientListener> listeners,
      @Nullable Tracing tracing,
      int maxPushCount,
      int maxPushBytes,
      Duration requestTimeout,
      Duration longestCall,
      ScheduledExecutorService timer,
      Executor threads) {
    this.transport = transport;
    this.payloads = payloads;
    this.listeners = listeners;
    this.tracing = tracing;
    this.maxPushCount = maxPushCount;
    this.maxPushBytes = maxPushBytes;
    this.besidesWaiting =
        requestTimeout.compareTo(BESIDES_WAITING) < 0 ? requestTimeout : BESIDES_WAITING;
    this.gatherer =
        new PushGatherer(
            (items, affinity, begun) -> send(pushRequest(items, affinity).withBegun(begun), items),
            transport,
            maxPushCount,
            maxPushBytes,
            longestCall,
            System::nanoTime,
            timer,
            threads);
  }

  /** Fails pushes that were not sent yet. */
  void close() {
    gatherer.close();
  }

  Payloads payloads() {
    return payloads;
  }

  List<ClientListener> listeners() {
    return listeners;
  }

  @Nullable Tracing tracing() {
    return tracing;
  }

  // Push

  /**
   * An item of a push, ready to be sent.
   *
   * @param lane the partition, or null for the default one
   * @param json the item as it stands in a request
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Item(String queue, @Nullable String lane, OutgoingMessage message, byte[] json) {
    private static final FieldName QUEUE = new FieldName("queue");
    private static final FieldName PARTITION = new FieldName("partition");
    private static final FieldName TRANSACTION_ID = new FieldName("transactionId");
    private static final FieldName TRACE_ID = new FieldName("traceId");
    private static final FieldName PAYLOAD = new FieldName("payload");

    /**
     * An item.
     *
     * @param payload JSON; it is copied
     */
    static Item of(String queue, @Nullable String lane, OutgoingMessage message, byte[] payload) {
      UUID given = message.traceId();
      String trace = given == null ? null : given.toString();
      // Fields count a comma each, one more than there is: that byte is for one of the braces.
      int size =
          1
              + JsonText.sizeOfText(QUEUE, queue)
              + JsonText.sizeOfText(PARTITION, lane)
              + JsonText.sizeOfText(TRANSACTION_ID, message.transactionId())
              + JsonText.sizeOfText(TRACE_ID, trace)
              + JsonText.sizeOfJson(PAYLOAD, payload);
      JsonText json = new JsonText(size).text(QUEUE, queue).text(PARTITION, lane);
      if (message.hasGeneratedId()) {
        json.plainText(TRANSACTION_ID, message.transactionId());
      } else {
        json.text(TRANSACTION_ID, message.transactionId());
      }
      byte[] item = json.text(TRACE_ID, trace).json(PAYLOAD, payload).end();
      return new Item(queue, lane, message, item);
    }

    /** Its bytes in a request, with a comma. */
    int bytes() {
      return json.length + 1;
    }

    String partition() {
      return lane == null ? "Default" : lane;
    }
  }

  /** Prepares a message; what it takes from its surroundings is taken now. */
  Item item(String queue, @Nullable String partition, @Nullable Object payload) {
    OutgoingMessage given = OutgoingMessage.of(payload);
    OutgoingMessage message =
        tracing == null ? given : given.inTrace(TraceContext.parse(tracing.current()));
    String lane = message.partition() != null ? message.partition() : partition;
    return Item.of(queue, lane, message, payloads.write(message.payload()));
  }

  /**
   * Pushes items in their order, in as many requests as their number and size need, one after the
   * other. If the first request fails, so does all; later ones fail item by item. A single one may
   * travel with those of other callers.
   */
  CompletableFuture<List<PushResult>> push(List<Item> items) {
    return items.size() == 1 ? gather(items) : batch(items).start();
  }

  /** The same, and waits. If it is interrupted after the first request, it says what is known. */
  List<PushResult> pushAndWait(List<Item> items) {
    if (items.size() == 1) {
      return Transport.join(gather(items));
    }
    return batch(items).startAndWait();
  }

  private CompletableFuture<List<PushResult>> gather(List<Item> items) {
    return gatherer.push(items.get(0), affinity(items)).thenApply(List::of);
  }

  private BatchPush batch(List<Item> items) {
    return new BatchPush(this::pushOnce, split(items));
  }

  private List<List<Item>> split(List<Item> items) {
    List<List<Item>> parts = new ArrayList<>();
    List<Item> part = new ArrayList<>();
    long bytes = 0;
    for (Item item : items) {
      if (!part.isEmpty() && (part.size() == maxPushCount || bytes + item.bytes() > maxPushBytes)) {
        parts.add(part);
        part = new ArrayList<>();
        bytes = 0;
      }
      part.add(item);
      bytes += item.bytes();
    }
    if (!part.isEmpty()) {
      parts.add(part);
    }
    return parts;
  }

  private static String affinity(List<Item> items) {
    Item first = items.get(0);
    boolean oneLane =
        items.stream()
            .allMatch(
                item ->
                    item.queue().equals(first.queue())
                        && item.partition().equals(first.partition()));
    return Request.affinityKey(first.queue(), oneLane ? first.partition() : null, null);
  }

  /** One request. */
  CompletableFuture<List<PushResult>> pushOnce(List<Item> items) {
    return send(pushRequest(items, affinity(items)), items);
  }

  private CompletableFuture<List<PushResult>> send(Request push, List<Item> items) {
    return then(transport.send(push), response -> pushed(items, response));
  }

  private static Request pushRequest(List<Item> items, String affinity) {
    int size = PUSH_BYTES;
    for (Item item : items) {
      size += item.bytes();
    }
    return Request.post("/api/v1/push")
        .withBody(new JsonText(size).array("items", items, Item::json).end())
        // Transaction ids make the second one a duplicate.
        .withRetry(Request.Retry.ALWAYS)
        .withAffinity(affinity);
  }

  private List<PushResult> pushed(List<Item> items, Response response) {
    List<AnswerItems.Item> answers = AnswerItems.read(response.bytes());
    List<PushResult> results = new ArrayList<>(items.size());
    for (int i = 0; i < items.size(); i++) {
      AnswerItems.Item each = i < answers.size() ? answers.get(i) : AnswerItems.Item.NONE;
      String told = each.status();
      PushResult.Status status =
          switch (told == null ? "" : told) {
            case "queued" -> PushResult.Status.QUEUED;
            case "duplicate" -> PushResult.Status.DUPLICATE;
            case "buffered" -> PushResult.Status.BUFFERED;
            default -> PushResult.Status.FAILED;
          };
      results.add(
          new PushResult(
              status,
              items.get(i).message().transactionId(),
              each.messageId(),
              status == PushResult.Status.FAILED
                  ? Objects.requireNonNullElse(
                      each.error(), "the broker did not say what became of it")
                  : null));
    }
    if (!listeners.isEmpty()) {
      tellPushed(items, results);
    }
    return results;
  }

  private void tellPushed(List<Item> items, List<PushResult> results) {
    Map<String, Map<PushResult.Status, Integer>> counts = new LinkedHashMap<>();
    for (int i = 0; i < items.size(); i++) {
      counts
          .computeIfAbsent(items.get(i).queue(), queue -> new EnumMap<>(PushResult.Status.class))
          .merge(results.get(i).status(), 1, Integer::sum);
    }
    counts.forEach(
        (queue, byStatus) ->
            byStatus.forEach(
                (status, count) ->
                    Listeners.tell(
                        listeners, listener -> listener.onPushed(queue, status, count))));
  }

  // Pop

  /** Where to pop. */
  record Source(
      @Nullable String queue,
      @Nullable String partition,
      @Nullable String namespace,
      @Nullable String task,
      @Nullable String group) {

    String affinity() {
      return queue != null
          ? Request.affinityKey(queue, partition, group)
          : Request.affinityKey(namespace == null ? "*" : namespace, task, group);
    }

    String name() {
      return queue != null ? queue : namespace + "/" + task;
    }

    String groupName() {
      return group == null ? "__QUEUE_MODE__" : group;
    }
  }

  Request popRequest(Source source, PopOptions options) {
    Request base;
    if (source.queue() == null) {
      base =
          Request.get("/api/v1/pop")
              .withQuery("namespace", source.namespace())
              .withQuery("task", source.task());
    } else if (source.partition() == null) {
      base = Request.get("/api/v1/pop/queue/{}", source.queue());
    } else {
      base = Request.get("/api/v1/pop/queue/{}/partition/{}", source.queue(), source.partition());
    }
    Request request =
        base.withQuery("batch", options.messages())
            .withQuery("consumerGroup", source.group())
            .withAffinity(source.affinity())
            // Messages of an answer that was lost would be lost with it.
            .withRetry(options.isAutoAck() ? Request.Retry.IF_UNSENT : Request.Retry.ALWAYS);
    if (source.partition() == null && options.maxPartitions() > 1) {
      request = request.withQuery("partitions", options.maxPartitions());
    }
    if (options.isAutoAck()) {
      request = request.withQuery("autoAck", true);
    }
    StartAt start = options.start();
    if (start != null) {
      request =
          request
              .withQuery("subscriptionMode", start.mode())
              .withQuery("subscriptionFrom", start.from());
    }
    if (!options.longestWait().isZero()) {
      request =
          request
              .withQuery("wait", true)
              .withQuery("timeout", options.longestWait().toMillis())
              .withTimeout(options.longestWait().plus(besidesWaiting));
    }
    return request;
  }

  <T> CompletableFuture<List<Message<T>>> pop(Source source, JavaType type, PopOptions options) {
    // Without its caller, the broker must not lease messages to the pop.
    return then(
        transport.send(popRequest(source, options)),
        response ->
            PopAnswer.read(response.bytes(), source.name()).stream()
                .map(received -> new Message<T>(received, payloads, type, actions))
                .toList());
  }

  /** What an answer means. Cancelling the returned future ends the request. */
  @SuppressWarnings("FutureReturnValueIgnored") // It says nothing that the returned one does not.
  private static <T> CompletableFuture<T> then(
      CompletableFuture<Response> sent, Function<Response, T> meaning) {
    CompletableFuture<T> understood = sent.thenApply(meaning);
    understood.whenComplete(
        (done, failure) -> {
          if (understood.isCancelled()) {
            sent.cancel(true);
          }
        });
    return understood;
  }

  /**
   * A pop of a consumer, which repeats by itself and may want to end it while it waits.
   *
   * @param answer cancelling it ends the request; messages that are on their way are then lost
   *     until their lease ends
   * @param name by which the broker can be asked to end it
   * @param broker that the pop went to
   */
  record WaitingPop(CompletableFuture<Response> answer, UUID name, ChosenBroker broker) {}

  WaitingPop popOnce(Source source, PopOptions options) {
    UUID name = UUID.randomUUID();
    ChosenBroker broker = new ChosenBroker();
    Request request = popRequest(source, options).withRetry(Request.Retry.NEVER).at(broker);
    return new WaitingPop(
        transport.send(source.queue() == null ? request : request.withQuery("pollId", name)),
        name,
        broker);
  }

  /** Whether the pop was waiting there; it is answered soon then. */
  CompletableFuture<Boolean> endPop(Source source, WaitingPop pop) {
    if (source.queue() == null) {
      return CompletableFuture.completedFuture(false);
    }
    return transport
        .send(
            Request.delete("/api/v1/pop/queue/{}/poll/{}", source.queue(), pop.name().toString())
                .withRetry(Request.Retry.NEVER)
                .withTimeout(END_OF_POP)
                .at(pop.broker()))
        .thenApply(response -> response.json().path("ended").asBoolean());
  }

  // Ack

  /** Acks of one group, in order. */
  CompletableFuture<List<AckResult>> ack(
      String group, List<Acknowledgment> acks, Request.Retry retry) {
    if (acks.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    AckFields fields = new AckFields();
    byte[] body =
        new JsonText(acks.size() * 200)
            .text("consumerGroup", group)
            .objects("acknowledgments", acks, fields::write)
            .end();
    Message<?> first = acks.get(0).message();
    return transport
        .send(
            Request.post("/api/v1/ack/batch")
                .withBody(body)
                .withRetry(retry)
                .withAffinity(Request.affinityKey(first.queue(), null, group)))
        .thenApply(response -> acked(acks, AnswerItems.read(response.bytes())))
        .whenComplete(
            (results, failure) -> {
              if (failure != null && retry == Request.Retry.ALWAYS) {
                // Without an answer the caller may try again.
                acks.forEach(each -> each.message().unsettle(each.disposition()));
              }
            });
  }

  private static List<AckResult> acked(List<Acknowledgment> acks, List<AnswerItems.Item> answers) {
    List<AckResult> results = new ArrayList<>(acks.size());
    for (int i = 0; i < acks.size(); i++) {
      AnswerItems.Item each = i < answers.size() ? answers.get(i) : AnswerItems.Item.NONE;
      results.add(
          new AckResult(
              acks.get(i).message().transactionId(),
              each.success(),
              each.error(),
              each.deadLetter(),
              each.leaseReleased()));
    }
    return results;
  }

  /** A message with its disposition. */
  record Acknowledgment(Message<?> message, Disposition disposition) {}

  /** Writes acks of one body. Messages of a pop have the lease in common, often the partition. */
  static final class AckFields {
    private static final FieldName TRANSACTION_ID = new FieldName("transactionId");
    private static final FieldName PARTITION_ID = new FieldName("partitionId");
    private static final FieldName LEASE_ID = new FieldName("leaseId");
    private static final FieldName STATUS = new FieldName("status");
    private static final FieldName ERROR = new FieldName("error");

    private final WrittenText partitionId = new WrittenText();
    private final WrittenText leaseId = new WrittenText();

    void write(Acknowledgment ack, JsonText text) {
      Message<?> message = ack.message();
      text.text(TRANSACTION_ID, message.transactionId())
          .text(PARTITION_ID, message.partitionId(), partitionId);
      message.lease().ifPresent(lease -> text.text(LEASE_ID, lease, leaseId));
      text.plainText(STATUS, ack.disposition().status().wire())
          .freeText(ERROR, ack.disposition().error());
    }
  }

  /** Whether an ack failed because the lease is over. */
  static boolean isLeaseLost(AckResult result) {
    return !result.success() && LEASE_LOST.equals(result.error());
  }

  static QueenException toException(AckResult result) {
    String text = result.error() == null ? "the ack failed" : result.error();
    return isLeaseLost(result) ? new LeaseLostException(text) : new RejectedException(200, text);
  }

  CompletableFuture<Instant> extend(String leaseId, long seconds, Request.Retry retry) {
    return transport
        .send(
            Request.post("/api/v1/lease/{}/extend", leaseId)
                .withBody(Json.MAPPER.createObjectNode().put("seconds", seconds))
                .withRetry(retry))
        .handle(
            (response, failure) -> {
              if (failure == null) {
                return Instant.parse(response.json().path("expiresAt").asText());
              }
              RuntimeException cause = Transport.unwrap(failure);
              String text = Objects.toString(cause.getMessage());
              if (cause instanceof RejectedException && LEASE_OVER.contains(text)) {
                throw new LeaseLostException(text);
              }
              throw cause;
            });
  }

  /** Fails by its future only: callers do not expect a trace to throw. */
  CompletableFuture<Void> trace(Message<?> message, TraceEvent event) {
    byte[] body;
    try {
      body =
          new JsonText()
              .text("transactionId", message.transactionId())
              .text("partitionId", message.partitionId())
              .text("consumerGroup", message.group())
              .text("eventType", event.type())
              .json("data", payloads.write(event.data()))
              .array("traceNames", event.names(), JsonText::string)
              .end();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    return transport.send(Request.post("/api/v1/traces").withBody(body)).thenAccept(stored -> {});
  }

  CompletableFuture<Response> send(Request request) {
    return transport.send(request);
  }

  /** What a popped message does: at once. */
  private final class DirectActions implements Message.Actions {
    @Override
    public CompletableFuture<Void> settle(Message<?> message, Disposition disposition) {
      return ack(
              message.group(),
              List.of(new Acknowledgment(message, disposition)),
              Request.Retry.ALWAYS)
          .thenAccept(
              results -> {
                if (!results.get(0).success()) {
                  throw toException(results.get(0));
                }
              });
    }

    @Override
    public boolean isDeferred() {
      return false;
    }

    @Override
    public CompletableFuture<Instant> extend(Message<?> message, Duration by) {
      return Calls.this.extend(leaseOf(message), toSeconds(by), Request.Retry.ALWAYS);
    }

    @Override
    public CompletableFuture<Void> trace(Message<?> message, TraceEvent event) {
      return Calls.this.trace(message, event);
    }
  }

  static String leaseOf(Message<?> message) {
    return message
        .lease()
        .orElseThrow(() -> new IllegalStateException("the message was popped without a lease"));
  }

  static long toSeconds(Duration duration) {
    return Math.max(1, (RetryPolicy.capped(duration).toMillis() + 999) / 1000);
  }
}
