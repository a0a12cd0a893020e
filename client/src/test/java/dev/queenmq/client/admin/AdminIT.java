package dev.queenmq.client.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.queenmq.client.Message;
import dev.queenmq.client.OutgoingMessage;
import dev.queenmq.client.PopOptions;
import dev.queenmq.client.QueenClient;
import dev.queenmq.client.RejectedException;
import dev.queenmq.client.admin.groups.GroupDeletion;
import dev.queenmq.client.admin.groups.GroupPartition;
import dev.queenmq.client.admin.groups.GroupSummary;
import dev.queenmq.client.admin.groups.Lease;
import dev.queenmq.client.admin.groups.PauseState;
import dev.queenmq.client.admin.groups.SeekResult;
import dev.queenmq.client.admin.groups.SeekTarget;
import dev.queenmq.client.admin.messages.DeadLetter;
import dev.queenmq.client.admin.messages.DeadLetterFilter;
import dev.queenmq.client.admin.messages.MessageDetails;
import dev.queenmq.client.admin.messages.MessageFilter;
import dev.queenmq.client.admin.messages.MessageStatus;
import dev.queenmq.client.admin.messages.RedriveResult;
import dev.queenmq.client.admin.messages.RetriedMessage;
import dev.queenmq.client.admin.messages.SettledMessage;
import dev.queenmq.client.admin.messages.Settlement;
import dev.queenmq.client.admin.messages.StoredMessage;
import dev.queenmq.client.admin.messages.Trace;
import dev.queenmq.client.admin.messages.TraceDraft;
import dev.queenmq.client.admin.messages.TraceName;
import dev.queenmq.client.admin.query.Page;
import dev.queenmq.client.admin.query.Paging;
import dev.queenmq.client.admin.query.TimeRange;
import dev.queenmq.client.admin.queues.ConfiguredQueue;
import dev.queenmq.client.admin.queues.Overview;
import dev.queenmq.client.admin.queues.PartitionSummary;
import dev.queenmq.client.admin.queues.PausedGroup;
import dev.queenmq.client.admin.queues.QueueDetails;
import dev.queenmq.client.admin.queues.QueueFilter;
import dev.queenmq.client.admin.queues.QueueOptions;
import dev.queenmq.client.admin.queues.QueueSummary;
import dev.queenmq.client.admin.status.PostgresStatistics;
import dev.queenmq.client.admin.status.PushHistory;
import dev.queenmq.client.admin.status.QueueHistory;
import dev.queenmq.client.admin.status.QueueStatus;
import dev.queenmq.client.admin.status.Status;
import dev.queenmq.client.admin.status.SystemHistory;
import dev.queenmq.client.admin.status.WorkerHistory;
import dev.queenmq.client.admin.streams.StreamCycle;
import dev.queenmq.client.admin.streams.StreamCycleResult;
import dev.queenmq.client.admin.streams.StreamQuery;
import dev.queenmq.client.admin.streams.StreamRegistration;
import dev.queenmq.client.admin.streams.StreamState;
import dev.queenmq.client.admin.streams.StreamStateFilter;
import dev.queenmq.client.admin.system.BrokerMetrics;
import dev.queenmq.client.admin.system.EncryptionStatus;
import dev.queenmq.client.admin.system.Health;
import dev.queenmq.client.admin.system.MaintenanceStatus;
import dev.queenmq.client.admin.system.RefreshResult;
import dev.queenmq.client.admin.system.SharedState;
import dev.queenmq.client.admin.system.UpkeepResult;
import dev.queenmq.client.testing.TestBroker;
import dev.queenmq.client.testing.TestPostgres;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Calls every operation of operators at a real broker, and checks what it answers. */
class AdminIT {
  private static final Duration LONG_AGO = Duration.ofHours(1);

  private static TestPostgres postgres;
  private static TestBroker broker;
  private static QueenClient client;
  private static QueenAdmin admin;

  /** Not the broker that others share: maintenance concerns all who use a database. */
  @BeforeAll
  static void start() {
    postgres = TestPostgres.start();
    // Charts are written down at once.
    broker =
        TestBroker.start(
            postgres.environment("admin", Map.of("METRICS_AGGREGATE_INTERVAL_S", "1")));
    client = broker.client();
    admin = client.admin();
  }

  @AfterAll
  static void stop() throws IOException {
    client.close();
    broker.close();
    postgres.close();
  }

  private static void push(String queue, String partition, String... transactionIds) {
    for (String id : transactionIds) {
      client
          .queue(queue)
          .partition(partition)
          .push(OutgoingMessage.of(Map.of("of", id)).withTransactionId(id));
    }
  }

  private static List<Message<JsonNode>> pop(String queue, int batch) {
    return client.queue(queue).pop(JsonNode.class, PopOptions.batch(batch));
  }

  private static UUID partitionId(String queue, String partition) {
    return admin.queues().partitions(queue, Paging.of(100)).items().stream()
        .filter(each -> each.name().equals(partition))
        .findFirst()
        .orElseThrow()
        .id();
  }

  @Test
  void queues_areListed_configured_andRemoved() {
    ConfiguredQueue made =
        admin
            .queues()
            .configure("shop.orders", QueueOptions.builder().leaseTime(60).retryLimit(5).build());
    assertThat(made.options().leaseTime()).isEqualTo(60);
    assertThat(made.options().dedupWindowSeconds()).isEqualTo(3600);
    ConfiguredQueue changed =
        admin.queues().change("shop.orders", QueueOptions.builder().retryLimit(7).build());
    assertThat(changed.options().leaseTime()).isEqualTo(60);
    assertThat(changed.options().retryLimit()).isEqualTo(7);
    ConfiguredQueue replaced = admin.queues().configure("shop.orders", QueueOptions.none());
    assertThat(replaced.options().leaseTime()).isEqualTo(300);
    ConfiguredQueue labelled = admin.queues().label("shop.orders", "shop", "orders");
    assertThat(labelled.namespace()).isEqualTo("shop");
    assertThat(labelled.task()).isEqualTo("orders");

    push("shop.orders", "eu west/1", "a", "b");
    push("shop.orders", "us", "c");
    pop("shop.orders", 1);

    QueueSummary listed =
        Page.all(Paging.of(2), paging -> admin.queues().list(paging))
            .filter(queue -> queue.name().equals("shop.orders"))
            .findFirst()
            .orElseThrow();
    assertThat(listed.messages().total()).isEqualTo(3);
    assertThat(listed.messages().processing()).isEqualTo(1);
    assertThat(listed.partitions()).isEqualTo(3);
    assertThat(admin.queues().list().items()).contains(listed);

    QueueDetails details = admin.queues().find("shop.orders").orElseThrow();
    assertThat(details.id()).isEqualTo(listed.id());
    assertThat(details.partitionCount()).isEqualTo(3);
    assertThat(details.partitions())
        .extracting(PartitionSummary::name)
        .containsExactly("Default", "eu west/1", "us");
    assertThat(details.partitions().get(1).oldestMessage()).isNotNull();
    assertThat(details.totals().pending()).isEqualTo(3);
    assertThat(admin.queues().find("shop.orders", Paging.of(1, 2)).orElseThrow().partitions())
        .extracting(PartitionSummary::name)
        .containsExactly("us");
    assertThat(admin.queues().find("nowhere")).isEmpty();

    Page<PartitionSummary> page = admin.queues().partitions("shop.orders", Paging.of(2));
    assertThat(page.items()).hasSize(2);
    assertThat(page.total()).isEqualTo(3);
    assertThat(page.following()).contains(Paging.of(2, 2));
    assertThat(admin.queues().allPartitions(Paging.of(1_000)).items())
        .anyMatch(each -> "shop.orders".equals(each.queue()) && each.name().equals("us"));
    assertThat(admin.queues().namespaces(Paging.first()).items())
        .anyMatch(each -> each.name().equals("shop") && each.messages().total() == 3);
    assertThat(admin.queues().tasks(Paging.first()).items())
        .anyMatch(each -> each.name().equals("orders") && each.partitions() == 3);
    Overview overview = admin.queues().overview();
    assertThat(overview.queues()).isPositive();
    assertThat(overview.messages().total()).isGreaterThanOrEqualTo(3);

    assertThat(admin.queues().clearPartition("shop.orders", "eu west/1")).isEqualTo(2);
    assertThat(admin.queues().clear("shop.orders")).isEqualTo(1);
    assertThat(admin.queues().deletePartition("shop.orders", "us")).isTrue();
    assertThat(admin.queues().deletePartition("shop.orders", "us")).isFalse();
    assertThat(admin.queues().delete("shop.orders")).isTrue();
    assertThat(admin.queues().delete("shop.orders")).isFalse();
    assertThatThrownBy(() -> admin.queues().clear("shop.orders"))
        .isInstanceOfSatisfying(
            RejectedException.class, refused -> assertThat(refused.status()).isEqualTo(404))
        .hasMessageContaining("Queue not found");
  }

  @Test
  void pausedQueues_sayThatTheyAre() {
    push("pausing", "a", "1");
    PauseState paused = admin.queues().pause("pausing");
    assertThat(paused.paused()).isTrue();
    assertThat(paused.changed()).isTrue();
    assertThat(paused.since()).isNotNull();
    assertThat(admin.queues().pause("pausing").changed()).isFalse();
    assertThat(pop("pausing", 1)).isEmpty();
    QueueDetails shown = admin.queues().find("pausing").orElseThrow();
    assertThat(shown.paused()).isTrue();
    assertThat(shown.pausedSince()).isNotNull();
    assertThat(admin.queues().resume("pausing").paused()).isFalse();

    assertThatThrownBy(() -> admin.groups().pause("typo", "pausing"))
        .isInstanceOf(RejectedException.class)
        .hasMessageContaining("Consumer group not found");
    assertThat(client.queue("pausing").group("g").pop(JsonNode.class, PopOptions.batch(1)))
        .hasSize(1);
    assertThat(admin.groups().pause("g", "pausing").consumerGroup()).isEqualTo("g");
    assertThat(admin.queues().find("pausing").orElseThrow().pausedGroups())
        .extracting(PausedGroup::consumerGroup)
        .containsExactly("g");
    assertThat(admin.groups().resume("g", "pausing").paused()).isFalse();
    assertThat(pop("pausing", 1)).hasSize(1);
  }

  @Test
  void groups_areFound_moved_andForgotten() {
    push("journal", "a", "1", "2");
    push("journal", "b", "3");
    List<Message<JsonNode>> taken =
        client.queue("journal").group("reader").pop(JsonNode.class, PopOptions.batch(1));
    taken.get(0).ack();

    GroupSummary group =
        admin.groups().list().items().stream()
            .filter(each -> each.queue().equals("journal"))
            .findFirst()
            .orElseThrow();
    assertThat(group.name()).isEqualTo("reader");
    assertThat(group.totalLag()).isEqualTo(2);
    assertThat(group.state()).isEqualTo(GroupSummary.State.STABLE);
    assertThat(group.subscriptionMode()).isEqualTo("all");
    assertThat(admin.groups().list(Paging.of(1)).items()).hasSize(1);

    List<GroupPartition> partitions = admin.groups().partitions("reader", Paging.first()).items();
    assertThat(partitions).extracting(GroupPartition::partition).contains("a", "b");
    assertThat(lag("reader", "journal")).isEqualTo(2);
    assertThat(admin.groups().partitions("reader", Paging.of(1)).following()).isPresent();
    assertThat(admin.groups().partitions("nobody", Paging.first()).items()).isEmpty();
    await()
        .untilAsserted(
            () ->
                assertThat(admin.groups().lagging(Duration.ZERO, 1_000))
                    .anyMatch(
                        each ->
                            each.queue().equals("journal")
                                && each.consumerGroup().equals("reader")
                                && each.offsetLag() == 1));

    assertThat(admin.groups().seek("reader", "journal", SeekTarget.end()).partitionsUpdated())
        .isEqualTo(2);
    assertThat(lag("reader", "journal")).isZero();
    admin.groups().seek("reader", "journal", SeekTarget.beginning());
    assertThat(lag("reader", "journal")).isEqualTo(3);
    admin.groups().seek("reader", "journal", SeekTarget.after(Instant.now().plusSeconds(60)));
    assertThat(lag("reader", "journal")).isZero();
    SeekResult moved =
        admin.groups().seekPartition("reader", "journal", "a", SeekTarget.beginning());
    assertThat(moved.partitionsUpdated()).isEqualTo(1);
    assertThat(moved.cursorMovedTo()).isNull();
    assertThat(lag("reader", "journal")).isEqualTo(2);
    assertThat(
            admin
                .groups()
                .seekPartition("reader", "journal", "a", SeekTarget.end())
                .cursorMovedTo())
        .isNotNull();
    assertThat(admin.groups().startAfter("reader", Instant.now().minus(LONG_AGO))).isEqualTo(1);
    assertThatThrownBy(() -> admin.groups().seek("nobody", "journal", SeekTarget.end()))
        .isInstanceOf(RejectedException.class);

    GroupDeletion deleted = admin.groups().delete("reader", "journal", true);
    assertThat(deleted.deleted()).isTrue();
    assertThat(deleted.metadataDeleted()).isFalse();
    assertThat(admin.groups().delete("reader", false).metadataDeleted()).isTrue();
    assertThat(admin.groups().delete("nobody", false).deleted()).isFalse();
  }

  private static long lag(String group, String queue) {
    return admin.groups().partitions(group, Paging.first()).items().stream()
        .filter(each -> each.queue().equals(queue))
        .mapToLong(GroupPartition::offsetLag)
        .sum();
  }

  @Test
  void leases_areSeen_extended_andReleased() {
    push("leased", "a", "1", "2");
    Message<JsonNode> held = pop("leased", 2).get(0);
    UUID lease = UUID.fromString(held.lease().orElseThrow());

    Lease seen = admin.leases().list("leased", null, Paging.first()).items().get(0);
    assertThat(seen.leaseId()).isEqualTo(lease);
    assertThat(seen.messages()).isEqualTo(2);
    assertThat(seen.consumerGroup()).isEqualTo(GroupAdmin.QUEUE_MODE);
    assertThat(seen.address()).isEqualTo("127.0.0.1");
    assertThat(admin.leases().list().items()).contains(seen);
    assertThat(admin.leases().list("leased", "other", Paging.first()).items()).isEmpty();
    assertThat(admin.leases().extend(lease, Duration.ofHours(2))).isAfter(seen.until());

    assertThat(admin.leases().release(lease)).isEqualTo(1);
    assertThat(admin.leases().release(lease)).isZero();
    SettledMessage late =
        admin
            .messages()
            .settle(
                UUID.fromString(held.partitionId()),
                held.transactionId(),
                lease,
                null,
                Settlement.COMPLETED,
                null);
    assertThat(late.success()).isFalse();
    assertThat(late.error()).isEqualTo("Invalid or expired lease");
    assertThat(pop("leased", 2)).isNotEmpty();
  }

  @Test
  void messages_areFound_settled_givenUp_andDeleted() {
    push("looked.at", "a", "1", "2", "3");
    UUID partition = partitionId("looked.at", "a");

    Page<StoredMessage> first =
        admin.messages().list(MessageFilter.queue("looked.at"), Paging.of(2));
    assertThat(first.items()).extracting(StoredMessage::transactionId).containsExactly("3", "2");
    assertThat(
            Page.all(
                    Paging.of(2),
                    paging -> admin.messages().list(MessageFilter.queue("looked.at"), paging))
                .map(StoredMessage::transactionId))
        .containsExactly("3", "2", "1");
    assertThat(
            admin
                .messages()
                .list(
                    MessageFilter.queue("looked.at")
                        .partition("a")
                        .status(MessageStatus.PENDING)
                        .created(TimeRange.last(LONG_AGO)),
                    Paging.first())
                .items())
        .hasSize(3);
    assertThat(admin.messages().newest("looked.at", Paging.of(2)).items()).hasSize(2);
    assertThat(Page.all(Paging.of(2), page -> admin.messages().newest("looked.at", page)))
        .hasSize(3);

    MessageDetails one = admin.messages().find(partition, "2").orElseThrow();
    assertThat(one.payload().path("of").asText()).isEqualTo("2");
    assertThat(one.status()).isEqualTo(MessageStatus.PENDING);
    assertThat(one.queueOptions().leaseTime()).isEqualTo(300);
    assertThat(admin.messages().find(partition, "none")).isEmpty();

    Message<JsonNode> held = pop("looked.at", 1).get(0);
    assertThat(admin.messages().find(partition, "1").orElseThrow().leaseExpiresAt()).isNotNull();
    SettledMessage settled =
        admin
            .messages()
            .settle(
                partition,
                "1",
                UUID.fromString(held.lease().orElseThrow()),
                null,
                Settlement.COMPLETED,
                null);
    assertThat(settled.success()).isTrue();
    assertThat(settled.leaseReleased()).isTrue();

    assertThat(admin.messages().deadLetter(partition, "2", null, "broken")).isTrue();
    MessageDetails dead = admin.messages().find(partition, "2").orElseThrow();
    assertThat(dead.status()).isEqualTo(MessageStatus.DEAD_LETTER);
    assertThat(dead.errorMessage()).isEqualTo("broken");
    Optional<RetriedMessage> retried = admin.messages().retry(partition, "2", null);
    assertThat(retried.orElseThrow().redriven()).isEqualTo(1);
    assertThat(admin.messages().retry(partition, "2", null)).isEmpty();
    assertThat(admin.messages().deadLetter(partition, "none", null, null)).isFalse();

    assertThat(admin.messages().delete(partition, "3")).isTrue();
    assertThat(admin.messages().delete(partition, "3")).isFalse();
  }

  @Test
  void deadLetters_areListed_redriven_andPurged() {
    push("poison", "a", "1", "2", "3");
    push("poison", "b", "4");
    UUID a = partitionId("poison", "a");
    UUID b = partitionId("poison", "b");
    for (String id : List.of("1", "2", "3")) {
      admin.messages().deadLetter(a, id, null, "no " + id);
    }
    admin.messages().deadLetter(b, "4", null, "no 4");

    Page<DeadLetter> letters = admin.deadLetters().list("poison");
    assertThat(letters.total()).isEqualTo(4);
    assertThat(letters.items().get(0).transactionId()).isEqualTo("4");
    assertThat(letters.items().get(0).payload().path("of").asText()).isEqualTo("4");
    assertThat(letters.items().get(0).errorMessage()).isEqualTo("no 4");
    assertThat(
            Page.all(
                Paging.of(1),
                paging ->
                    admin
                        .deadLetters()
                        .list(DeadLetterFilter.queue("poison").partition("a"), paging)))
        .hasSize(3);
    assertThat(
            admin
                .deadLetters()
                .list(
                    DeadLetterFilter.queue("poison")
                        .failed(TimeRange.between(Instant.EPOCH, Instant.EPOCH)),
                    Paging.first())
                .items())
        .isEmpty();

    RedriveResult some =
        admin.deadLetters().redrive(DeadLetterFilter.queue("poison").partition("a"), 2);
    assertThat(some.redriven()).isEqualTo(2);
    assertThat(some.remaining()).isEqualTo(1);
    assertThat(
            admin
                .deadLetters()
                .purge(
                    DeadLetterFilter.queue("poison")
                        .consumerGroup(GroupAdmin.QUEUE_MODE)
                        .transactionIds(List.of("4"))))
        .isEqualTo(1);
    assertThat(admin.deadLetters().purge(DeadLetterFilter.queue("poison"))).isEqualTo(1);
    assertThat(admin.deadLetters().list("poison").total()).isZero();
    assertThatThrownBy(() -> admin.deadLetters().purge(DeadLetterFilter.any()))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void traces_areRecorded_andFound() {
    push("traced", "a", "1");
    UUID partition = partitionId("traced", "a");
    UUID id =
        admin
            .traces()
            .record(
                TraceDraft.of(partition, "1", Map.of("step", "charged"))
                    .eventType("payment")
                    .consumerGroup("billing")
                    .names("order-1", "customer-9"));

    Trace found = admin.traces().ofMessage(partition, "1", Paging.first()).items().get(0);
    assertThat(found.id()).isEqualTo(id);
    assertThat(found.eventType()).isEqualTo("payment");
    assertThat(found.consumerGroup()).isEqualTo("billing");
    assertThat(found.data().path("step").asText()).isEqualTo("charged");
    assertThat(found.traceNames()).containsExactlyInAnyOrder("order-1", "customer-9");
    Page<Trace> named = admin.traces().named("order-1", "traced", Paging.first());
    assertThat(named.total()).isEqualTo(1);
    assertThat(named.items().get(0).queue()).isEqualTo("traced");
    JsonNode payload = Objects.requireNonNull(named.items().get(0).messagePayload());
    assertThat(payload.path("of").asText()).isEqualTo("1");
    assertThat(admin.traces().names(Paging.of(10)).items())
        .extracting(TraceName::name)
        .contains("order-1", "customer-9");
    assertThatThrownBy(() -> admin.traces().record(TraceDraft.of(partition, "none", "x")))
        .isInstanceOf(RejectedException.class)
        .hasMessageContaining("Message not found");
  }

  @Test
  void streams_keepStateTogetherWithWhatTheyConsume() {
    push("numbers", "a", "1", "2");
    StreamRegistration query = admin.streams().register(StreamQuery.of("sums", "numbers", "v1"));
    assertThat(query.fresh()).isTrue();
    assertThatThrownBy(() -> admin.streams().register(StreamQuery.of("sums", "numbers", "v2")))
        .isInstanceOfSatisfying(
            RejectedException.class, refused -> assertThat(refused.status()).isEqualTo(409));

    List<Message<JsonNode>> taken = pop("numbers", 2);
    UUID partition = UUID.fromString(taken.get(0).partitionId());
    StreamCycle cycle =
        new StreamCycle(
            query.queryId(),
            partition,
            null,
            List.of(
                StreamCycle.StateChange.upsert("sum", Map.of("value", 3)),
                StreamCycle.StateChange.upsert("old", 1),
                StreamCycle.StateChange.delete("old")),
            List.of(new StreamCycle.Push("sums", null, Map.of("sum", 3), "s1")),
            StreamCycle.Ack.completed("2", taken.get(0).lease().orElseThrow(), 2),
            null,
            "cycle-1");
    StreamCycleResult result = admin.streams().cycle(cycle);
    assertThat(result.success()).isTrue();
    assertThat(result.stateChangesApplied()).isEqualTo(3);
    assertThat(result.pushResults().get(0).transactionId()).isEqualTo("s1");
    assertThat(Objects.requireNonNull(result.ackResult()).leaseReleased()).isTrue();
    assertThat(admin.streams().cycle(cycle)).isEqualTo(result);

    StreamState state = admin.streams().state(StreamStateFilter.all(query.queryId(), partition));
    assertThat(state.rows()).extracting(StreamState.Row::key).containsExactly("sum");
    assertThat(state.rows().get(0).value().path("value").asInt()).isEqualTo(3);
    assertThat(state.rows().get(0).updatedAt()).isNotNull();
    assertThat(
            admin
                .streams()
                .state(
                    StreamStateFilter.all(query.queryId(), partition)
                        .keyPrefix("s")
                        .page(10, "sum"))
                .rows())
        .isEmpty();
  }

  @Test
  void status_hasFiguresAndCharts() {
    push("charted", "a", "1", "2");
    pop("charted", 2).forEach(Message::ack);
    TimeRange range = TimeRange.last(LONG_AGO);
    await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(
            () ->
                assertThat(admin.status().queueHistory(range, "charted").series())
                    .anyMatch(point -> point.pushMessages() == 2 && point.ackSuccess() == 2));

    QueueHistory history = admin.status().queueHistory(range, "charted");
    assertThat(history.queues()).containsExactly("charted");
    assertThat(history.timeRange().from()).isNotNull();
    Status status = admin.status().overall(range, QueueFilter.queue("charted"));
    assertThat(status.queues()).extracting(Status.Queue::name).containsExactly("charted");
    assertThat(status.throughput()).isNotEmpty();
    assertThat(status.throughput().stream().mapToLong(Status.Point::ingested).sum()).isEqualTo(2);
    assertThat(status.messages().total()).isGreaterThanOrEqualTo(2);
    assertThat(status.workers()).isNotEmpty();

    assertThat(admin.status().queues("nowhere", null, Paging.first()).items()).isEmpty();
    assertThat(
            Page.all(Paging.of(3), paging -> admin.status().queues(null, null, paging))
                .map(QueueSummary::name))
        .contains("charted");
    QueueStatus queue = admin.status().queue("charted", Paging.first()).orElseThrow();
    assertThat(queue.totals().completed()).isEqualTo(2);
    assertThat(queue.queue().options().leaseTime()).isEqualTo(300);
    assertThat(queue.partitions())
        .anyMatch(each -> each.name().equals("a") && each.cursor().totalConsumed() == 2);
    assertThat(admin.status().queue("nowhere", Paging.first())).isEmpty();

    PushHistory pushes =
        admin.status().pushes(PushHistory.Interval.MINUTE, range, QueueFilter.queue("charted"));
    assertThat(pushes.interval()).isEqualTo("minute");
    assertThat(pushes.dataPoints().stream().mapToLong(PushHistory.Point::messages).sum())
        .isEqualTo(2);
    assertThat(admin.status().spool().dbHealthy()).isTrue();
    assertThat(admin.status().latency(range, "charted"))
        .isNotEmpty()
        .allMatch(each -> each.queue().equals("charted") && each.deliveries() > 0);
    assertThat(admin.status().waitingPolls(range, "charted").bucketMinutes()).isPositive();
    WorkerHistory workers = admin.status().workers(range, null, null);
    assertThat(workers.workers()).isNotEmpty();
    assertThat(workers.summary().totalPushMessages()).isGreaterThanOrEqualTo(2);
    assertThat(workers.queues()).anyMatch(each -> each.queue().equals("charted"));
    await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(
            () -> assertThat(admin.status().systems(range, null, null).replicas()).isNotEmpty());
    SystemHistory.Point sample =
        admin.status().systems(range, null, null).replicas().get(0).timeSeries().get(0);
    assertThat(sample.metrics().memory().resident().max()).isPositive();
    assertThat(sample.metrics().database().size().last()).isPositive();
    assertThat(admin.status().retention(range, null).totals().events()).isNotNegative();
    PostgresStatistics postgres = admin.status().postgres();
    assertThat(postgres.tableSizes()).isNotEmpty();
    assertThat(postgres.databaseCache().cacheHits()).isPositive();
  }

  @Test
  void system_showsBrokers_andTheirJobs() {
    Health health = admin.system().health();
    assertThat(health.status()).isEqualTo(Health.Status.HEALTHY);
    assertThat(health.version()).isNotEmpty();
    assertThat(Objects.requireNonNull(health.durability()).safe()).isTrue();
    assertThat(admin.system().isReady()).isTrue();
    assertThat(admin.system().isAccepting()).isTrue();
    assertThat(admin.system().isAlive()).isTrue();
    BrokerMetrics metrics = admin.system().metrics();
    assertThat(metrics.sidecar().operations()).containsKeys("push", "pop", "ack");
    assertThat(metrics.memory().rss()).isPositive();
    assertThat(admin.system().prometheus()).contains("queen_waiting_polls");
    SharedState shared = admin.system().sharedState();
    assertThat(shared.enabled()).isFalse();
    assertThat(shared.partitionIdCache()).isNotNull();
    admin.system().wake("charted", null);
    EncryptionStatus encryption = admin.system().encryption();
    assertThat(encryption.keyId()).isNull();
    assertThat(encryption.resealing().state()).isEqualTo("idle");

    UpkeepResult run = admin.system().runUpkeep("traces", Duration.ofSeconds(60));
    assertThat(run.isDone()).isTrue();
    assertThat(admin.system().upkeep())
        .anyMatch(job -> job.name().equals("traces") && !job.runs().isEmpty());
    assertThatThrownBy(() -> admin.system().runUpkeep("nothing", Duration.ZERO))
        .isInstanceOf(RejectedException.class);
    RefreshResult refreshed = admin.system().refreshStatistics();
    assertThat(refreshed.running() || refreshed.skipped() || refreshed.queues() > 0).isTrue();

    assertThat(admin.system().maintenance().pops()).isFalse();
    assertThat(admin.system().popMaintenance().enabled()).isFalse();
    assertThat(admin.system().openApi().path("paths").size()).isGreaterThan(50);
  }

  /** Not in parallel with others: pushes and pops of all queues would find nothing. */
  @Test
  void maintenance_isSwitched() {
    MaintenanceStatus on = admin.system().setMaintenance(true);
    try {
      assertThat(on.pushes()).isTrue();
      assertThat(admin.system().maintenance().pushes()).isTrue();
    } finally {
      assertThat(admin.system().setMaintenance(false).pushes()).isFalse();
    }
    try {
      assertThat(admin.system().setPopMaintenance(true).enabled()).isTrue();
    } finally {
      assertThat(admin.system().setPopMaintenance(false).enabled()).isFalse();
    }
  }
}
