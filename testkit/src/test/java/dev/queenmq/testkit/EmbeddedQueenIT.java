package dev.queenmq.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.client.Message;
import dev.queenmq.client.OutgoingMessage;
import dev.queenmq.client.PopOptions;
import dev.queenmq.client.PushResult;
import dev.queenmq.client.QueenClient;
import dev.queenmq.client.QueueRef;
import dev.queenmq.client.admin.queues.QueueOptions;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the broker of a test can do. */
@QueenTest
class EmbeddedQueenIT {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final EmbeddedQueen queen;
  private final QueenClient client;

  EmbeddedQueenIT(EmbeddedQueen queen, QueenClient client) {
    this.queen = queen;
    this.client = client;
  }

  @Test
  void libraries_areNotThoseOfTheTest() {
    assertThat(queen.getClass().getClassLoader()).isSameAs(EmbeddedQueenIT.class.getClassLoader());
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().startsWith("vert.x"))
        .isNotEmpty()
        .allSatisfy(
            thread ->
                assertThat(thread.getClass().getClassLoader().getName()).isEqualTo("queen-broker"));
  }

  @Test
  void threads_doNotKeepTheJvmFromEnding() {
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().startsWith("vert.x"))
        .isNotEmpty()
        .allSatisfy(thread -> assertThat(thread.isDaemon()).as(thread.getName()).isTrue());
  }

  @Test
  void advance_endsLeases() {
    QueueRef orders = client.queue("orders");
    orders.push("tea");
    assertThat(pop(orders)).containsExactly("tea");
    assertThat(pop(orders)).isEmpty();

    queen.advance(Duration.ofMinutes(6));

    assertThat(pop(orders)).containsExactly("tea");
  }

  @Test
  void advance_endsLeases_ofAQueueThatHasJustChanged() {
    QueueRef orders = client.queue("orders");
    orders.push("tea");
    assertThat(pop(orders)).containsExactly("tea");
    client.admin().queues().configure("orders", QueueOptions.builder().retryLimit(9).build());

    queen.advance(Duration.ofMinutes(6));

    assertThat(pop(orders)).containsExactly("tea");
  }

  @Test
  void advance_wakesPollsThatWaitForALease() throws Exception {
    QueueRef orders = client.queue("orders");
    orders.push("tea");
    assertThat(pop(orders)).containsExactly("tea");
    CompletableFuture<List<Message<String>>> waiting = waitingPop(orders);

    queen.advance(Duration.ofMinutes(6));

    assertThat(waiting.get(LONG.toSeconds(), TimeUnit.SECONDS)).hasSize(1);
  }

  @Test
  void advance_endsDelays_andWakesPollsThatWaitForThem() throws Exception {
    client
        .admin()
        .queues()
        .configure("orders", QueueOptions.builder().delayedProcessing(3600).build());
    QueueRef orders = client.queue("orders");
    orders.push("tea");
    CompletableFuture<List<Message<String>>> waiting = waitingPop(orders);

    queen.advance(Duration.ofMinutes(59));
    assertThat(pop(orders)).isEmpty();
    assertThat(waiting).isNotDone();
    queen.advance(Duration.ofMinutes(1));

    assertThat(waiting.get(LONG.toSeconds(), TimeUnit.SECONDS)).hasSize(1);
  }

  @Test
  void advance_endsTheWindowOfTransactionIds() {
    QueueRef orders = client.queue("orders");
    assertThat(push(orders)).isEqualTo(PushResult.Status.QUEUED);
    assertThat(push(orders)).isEqualTo(PushResult.Status.DUPLICATE);

    queen.advance(Duration.ofMinutes(61));

    assertThat(push(orders)).isEqualTo(PushResult.Status.QUEUED);
  }

  @Test
  void advance_letsRetentionRemoveWhatIsOld() {
    client
        .admin()
        .queues()
        .configure(
            "orders",
            QueueOptions.builder().retentionEnabled(true).retentionSeconds(86_400).build());
    client.queue("orders").push("tea");

    queen.advance(Duration.ofDays(2));
    client.admin().system().runUpkeep("retention", LONG);

    queen.assertThatQueue("orders").isEmpty();
  }

  @Test
  void now_isAheadByWhatWasAdded() {
    Duration before = Duration.between(Instant.now(), queen.now());
    queen.advance(Duration.ofHours(3));
    Duration after = Duration.between(Instant.now(), queen.now());

    assertThat(after.minus(before)).isBetween(Duration.ofMinutes(179), Duration.ofMinutes(181));
    assertThatThrownBy(() -> queen.advance(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void queue_thatIsMadeAgain_hasItsNewOptions() {
    queen.advance(Duration.ofHours(1));
    client.admin().queues().configure("orders", QueueOptions.builder().maxSize(1).build());
    client.queue("orders").push("tea");
    queen.reset();

    client.queue("orders").push("tea");
    client.queue("orders").push("cake");
    queen.assertThatQueue("orders").hasDepth(2);
    client.admin().queues().configure("orders", QueueOptions.builder().maxSize(2).build());
    assertThatThrownBy(() -> client.queue("orders").push("scone")).hasMessageContaining("full");
  }

  @Test
  void reset_leavesNothing() {
    client.queue("orders").push("tea");
    Message<String> message = client.queue("orders").pop(String.class, PopOptions.batch(1)).get(0);
    message.deadLetter("no milk");
    client.queue("waited-for").group("kitchen").pop(String.class, PopOptions.batch(1));
    client.admin().system().setPopMaintenance(true);

    queen.reset();

    queen.assertThatQueue("orders").doesNotExist();
    assertThat(client.admin().queues().list().items()).isEmpty();
    assertThat(client.admin().groups().list().items()).isEmpty();
    client.queue("orders").push("cake");
    assertThat(pop(client.queue("orders"))).containsExactly("cake");
    queen.assertThatQueue("orders").hasNoDeadLetters();
  }

  @Test
  void resetOfAPrefix_leavesTheRest() {
    String prefix = queen.newPrefix();
    client.queue(prefix + "orders").push("tea");
    client.queue("orders").push("tea");

    queen.reset(prefix);

    queen.assertThatQueue(prefix + "orders").doesNotExist();
    queen.assertThatQueue("orders").exists();
  }

  @Test
  void brokers_haveDatabasesOfTheirOwn_andSettings() {
    EmbeddedQueen.Builder builder = EmbeddedQueen.builder().setting("DEFAULT_BATCH_SIZE", "7");
    String url;
    try (EmbeddedQueen other = builder.start()) {
      url = other.url();
      other.client().queue("elsewhere").push("tea");
      queen.assertThatQueue("elsewhere").doesNotExist();
      other.assertThatQueue("elsewhere").hasDepth(1);
    }
    InetAddress loopback = InetAddress.getLoopbackAddress();
    assertThatThrownBy(() -> new Socket(loopback, URI.create(url).getPort()).close())
        .isInstanceOf(ConnectException.class);
    assertThatThrownBy(() -> EmbeddedQueen.builder().setting("PORT", "no port").start())
        .hasMessageContaining("PORT");
  }

  @Test
  void closingTheSharedOne_changesNothing() {
    queen.close();
    assertThat(client.admin().system().isAlive()).isTrue();
  }

  private static PushResult.Status push(QueueRef queue) {
    return queue.push(OutgoingMessage.of("tea").withTransactionId("one")).status();
  }

  private static List<String> pop(QueueRef queue) {
    return queue.pop(String.class, PopOptions.batch(10)).stream().map(Message::payload).toList();
  }

  private static CompletableFuture<List<Message<String>>> waitingPop(QueueRef queue) {
    return queue.popAsync(String.class, PopOptions.batch(10).waitUpTo(LONG));
  }
}
