package dev.queenmq.bench.concurrency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.BenchPostgresExtension;
import dev.queenmq.bench.Blocking;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.QueueOptions;
import dev.queenmq.server.model.admin.Seek;
import dev.queenmq.server.model.admin.SeekOutcome;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Fixed interleavings that once ended in a deadlock, or wrote what an old snapshot said. A session
 * holds a row for as long as it takes to bring the others where they have to be.
 */
@ExtendWith(BenchPostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LockOrderIT {
  private final BenchDatabase database;
  private final List<Session> sessions = new ArrayList<>();
  private Session setUp;
  private Session holder;

  LockOrderIT(BenchPostgres postgres) {
    database = postgres.createDatabase("lock_order");
    setUp = open();
    holder = setUp;
  }

  @BeforeEach
  void openSessions() {
    setUp = open();
    holder = open();
  }

  @AfterEach
  void closeSessions() {
    sessions.forEach(Session::close);
    sessions.clear();
    database.query(
        "truncate queen.queues, queen.partitions, queen.cursors,"
            + " queen.subscriptions, queen.sealing_brokers, queen.resealing");
  }

  @Test
  void clear_writesOnlyTheCursorsThatItLocked() {
    UUID partition = pushed("q", "p");
    read("q", "p", "c");
    read("q", "p", "d");
    hold(partition, "d");
    Future<?> clearing = open().store().clear("q", Optional.empty());
    awaitBlocked(1);
    read("q", "p", "a");
    Future<?> popping = named("a", "c");
    awaitBlocked(2);

    letGo();
    Blocking.get(clearing);
    Blocking.get(popping);
  }

  /** One that is settled at once, and one that goes the long way. */
  @ParameterizedTest
  @EnumSource(
      value = AckStatus.class,
      names = {"COMPLETED", "FAILED"})
  void ack_doesNotLookAgainForACursorThatWasMissing(AckStatus status) {
    UUID partition = pushed("q", "p");
    PartitionBatch ofC = read("q", "p", "c");
    PartitionBatch ofD = read("q", "p", "d");
    hold(partition, "d");
    Future<?> acking =
        open()
            .store()
            .ack(
                List.of(
                    ack(partition, "a", UUID.randomUUID(), status),
                    ack(partition, "c", ofC.lease().orElseThrow().id(), status),
                    ack(partition, "d", ofD.lease().orElseThrow().id(), status)));
    awaitBlocked(1);
    read("q", "p", "a");
    Future<?> popping = named("a", "c");
    awaitBlocked(2);

    letGo();
    Blocking.get(acking);
    Blocking.get(popping);
  }

  /** Pop, first contact and seek: three of them. */
  @Test
  void pop_subscribesBeforeItLocksCursors() {
    UUID first = pushed("q", "p1");
    read("q", "p1", "g");
    read("q", "p1", "z");
    UUID second = pushed("q", "p2");
    hold(first, "z");
    Future<?> popping =
        open()
            .store()
            .pop(
                List.of(
                    Session.named("q", "p1", "g", 1),
                    Session.named("q", "p1", "z", 1),
                    candidates("q2", "g", List.of())));
    awaitBlocked(1);
    Future<?> seeking =
        open().store().seek(new Seek("q", Optional.empty(), "g", new Seek.Position.End()));
    awaitBlocked(2);
    Future<?> meeting =
        open()
            .store()
            .pop(List.of(candidates("q2", "g", List.of()), candidates("q", "g", List.of(second))));
    awaitBlocked(3);

    letGo();
    Blocking.get(popping);
    Blocking.get(seeking);
    Blocking.get(meeting);
  }

  @Test
  void configure_andAPushThatMakesTheDefaultPartition_doNotWaitForEachOther() {
    pushed("a", "p");
    pushed("b", "p");
    holder.sql("begin");
    Blocking.get(holder.push("b", "E", "e"));
    Session pusher = open();
    Future<List<PushOutcome>> pushing =
        pusher
            .store()
            .push(List.of(pusher.message("a", "Default", "1"), pusher.message("b", "E", "1")));
    awaitBlocked(1);
    Future<?> configuring =
        open()
            .store()
            .configure(
                List.of(
                    new QueueConfiguration(
                        "a",
                        Optional.empty(),
                        Optional.empty(),
                        QueueOptions.of(new JsonObject().put("encryptionEnabled", true)),
                        false)));
    awaitBlocked(2);

    letGo();
    Blocking.get(configuring);
    assertThat(Blocking.get(pushing)).allMatch(PushOutcome.Queued.class::isInstance);
  }

  /** What it has not compared yet holds a duplicate, so its partition has to be changed again. */
  @Test
  void push_thatFindsADuplicate_doesNotWaitForWhoDeletesTheQueue() {
    UUID one = pushed("q", "p1");
    UUID two = pushed("q", "p2");
    UUID last = one.toString().compareTo(two.toString()) > 0 ? one : two;
    Session pusher = open();
    Blocking.get(pusher.push("q", "p1", "own"));
    Blocking.get(pusher.push("q", "p2", "own"));
    Blocking.get(setUp.push("q", "p1", "again"));
    Blocking.get(setUp.push("q", "p2", "again"));
    holder.sql("begin");
    holder.sql("select 1 from queen.partitions where id = '" + last + "' for update");
    Future<List<PushOutcome>> pushing =
        pusher
            .store()
            .push(List.of(pusher.message("q", "p1", "again"), pusher.message("q", "p2", "again")));
    awaitBlocked(1);
    Future<?> deleting = open().store().deleteQueues(List.of("q"));
    awaitBlocked(2);

    letGo();
    Blocking.get(deleting);
    Throwable conflict = Blocking.get(pushing.map(done -> (Throwable) null).otherwise(e -> e));
    assertThat(String.valueOf(conflict == null ? null : conflict.getCause()))
        .doesNotContain("40P01");
  }

  @Test
  void seek_toTheEnd_neverGoesBack_behindAPopThatHasJustCommitted() {
    UUID partition = pushed("q", "p");
    read("q", "p", "g");
    holder.sql("begin");
    Blocking.get(holder.push("q", "p", "n1", "n2", "n3"));
    holder.sql(
        "update queen.cursors set committed = 4, lease_id = null, lease_expires_at = null,"
            + " leased = '{}' where partition_id = '"
            + partition
            + "'");
    Future<SeekOutcome> seeking =
        open().store().seek(new Seek("q", Optional.of("p"), "g", new Seek.Position.End()));
    awaitBlocked(1);

    letGo();
    assertThat(Blocking.get(seeking)).isInstanceOf(SeekOutcome.Moved.class);
    assertThat(database.number("select committed from queen.cursors")).isEqualTo(4);
  }

  /** One takes the other for gone, while that one comes back. */
  @Test
  void brokersThatSeal_doNotWaitForEachOther() {
    UUID late = UUID.randomUUID();
    setUp.sql("insert into queen.resealing (shard) values (0)");
    setUp.sql(
        "insert into queen.sealing_brokers values ('"
            + late
            + "', 'k', now() - interval '1 hour')");
    holder.sql("begin");
    holder.sql("select 1 from queen.resealing for update");
    Future<?> looking = look(UUID.randomUUID());
    awaitBlocked(1);
    Future<?> comingBack = look(late);
    awaitBlocked(2);

    letGo();
    Blocking.get(looking);
    Blocking.get(comingBack);
    assertThat(database.number("select count(*) from queen.sealing_brokers")).isEqualTo(2);
  }

  private Future<?> look(UUID broker) {
    return open()
        .connection()
        .connection()
        .query(
            "select queen.reseal_look_v1(0::smallint, '%s', 'k', interval '1 minute', interval '0', interval '0')"
                .formatted(broker))
        .execute();
  }

  private Session open() {
    Session session = Session.open(database);
    sessions.add(session);
    return session;
  }

  private UUID pushed(String queue, String partition) {
    return ((PushOutcome.Queued) Blocking.get(setUp.push(queue, partition, "m")).get(0))
        .partitionId();
  }

  /** A group gets what is there, and with it a cursor and a lease. */
  private PartitionBatch read(String queue, String partition, String group) {
    return setUp.pop(Session.named(queue, partition, group, 1)).orElseThrow();
  }

  private Future<?> named(String... groups) {
    List<PopRequest> requests = new ArrayList<>();
    for (String group : groups) {
      requests.add(Session.named("q", "p", group, 1));
    }
    return open().store().pop(requests);
  }

  private static PopRequest candidates(String queue, String group, List<UUID> partitions) {
    return new PopRequest(
        new PopTarget.Candidates(Optional.of(queue), partitions),
        group,
        1,
        1,
        false,
        new Subscription.All());
  }

  private static Ack ack(UUID partition, String group, UUID lease, AckStatus status) {
    return new Ack(
        partition,
        group,
        new MessageRef.ByTransactionId("m"),
        Optional.of(lease),
        status,
        Optional.empty());
  }

  private void hold(UUID partition, String group) {
    holder.sql("begin");
    holder.sql(
        "select 1 from queen.cursors where partition_id = '"
            + partition
            + "' and consumer_group = '"
            + group
            + "' for update");
  }

  private void letGo() {
    holder.sql("commit");
  }

  private void awaitBlocked(int sessions) {
    await()
        .until(
            () ->
                database.number(
                        "select count(*) from pg_stat_activity where datname = current_database()"
                            + " and wait_event_type = 'Lock'")
                    == sessions);
  }
}
