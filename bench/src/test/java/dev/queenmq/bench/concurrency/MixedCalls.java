package dev.queenmq.bench.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.IdempotencyKey;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageKey;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.admin.DeadLetterSelection;
import dev.queenmq.server.model.admin.DeadLettering;
import dev.queenmq.server.model.admin.GroupDeletion;
import dev.queenmq.server.model.admin.PopPause;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.QueueOptions;
import dev.queenmq.server.model.admin.Redrive;
import dev.queenmq.server.model.admin.Seek;
import dev.queenmq.server.model.admin.SubscriptionMove;
import dev.queenmq.server.model.streams.Cycle;
import dev.queenmq.server.model.streams.StateChange;
import dev.queenmq.server.model.streams.StreamQuery;
import dev.queenmq.server.model.streams.StreamRegistration;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import dev.queenmq.server.store.MessageStore;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.store.queues.SweepTurns;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.UUID;

/** Every kind of call on the same few partitions and groups, each in an order of its own. */
final class MixedCalls {
  private static final List<String> QUEUES = List.of("Mixed", "mixed.out");
  private static final List<String> GROUPS = List.of("a", "B", "c");
  private static final int REMEMBERED = 40;

  /** What a pop gave to a group, live or not. */
  private record Got(PartitionBatch batch, String group) {}

  private final Session session;
  private final int partitions;
  private final int number;
  private final Random random;
  private final List<Got> got = new ArrayList<>();
  private final BackgroundCalls background;
  private MessageStore store;
  private int count;

  MixedCalls(Session session, int partitions, int number, Random random) {
    this.session = session;
    this.partitions = partitions;
    this.number = number;
    this.random = random;
    store = session.store();
    background = new BackgroundCalls(session, random);
  }

  Future<Void> next() {
    count++;
    if (count % 50 == 0) {
      // A broker that starts knows nothing: ids are resolved by name then. Some have a key.
      store =
          new MessageStore(
              session.connection().context(),
              StoreClient.of(session.connection().connection()),
              StoreOptions.defaults(),
              count,
              transaction -> {},
              new SweepTurns(),
              random.nextBoolean() ? BackgroundCalls.ONE_KEY : Encryption.none(),
              AnswerMemory.unlimited(),
              InstantSource.system(),
              System::nanoTime);
    }
    int kind = random.nextInt(112);
    if (kind >= 100) {
      return kind >= 103 || got.isEmpty() ? background.next() : aboutSome();
    } else if (kind < 22) {
      return store.push(messages()).mapEmpty();
    } else if (kind < 30) {
      return operate();
    } else if (kind < 55) {
      return pop();
    } else if (kind < 70) {
      return store.ack(acks()).mapEmpty();
    } else if (kind < 78) {
      return transaction();
    } else if (kind < 85) {
      return cycle();
    } else if (kind < 90) {
      return store
          .renew(leases().stream().map(id -> new Renewal(id, Duration.ofSeconds(5))).toList())
          .mapEmpty();
    } else if (kind < 91) {
      return store
          .deleteGroup(new GroupDeletion(group(), anyQueue(), random.nextBoolean()))
          .mapEmpty();
    } else if (kind < 92) {
      return store.moveSubscription(new SubscriptionMove(group(), Instant.EPOCH)).mapEmpty();
    } else if (kind < 94) {
      return store
          .seek(
              new Seek(
                  queue(),
                  random.nextBoolean() ? Optional.empty() : Optional.of(partition()),
                  group(),
                  random.nextBoolean()
                      ? new Seek.Position.End()
                      : new Seek.Position.After(Instant.EPOCH)))
          .mapEmpty();
    } else if (kind < 96) {
      return store
          .configure(shuffled(QUEUES).stream().map(this::configuration).toList())
          .mapEmpty();
    } else if (kind < 98 && !got.isEmpty()) {
      return store
          .dropSegments(anyGot().batch().partitionId(), Instant.now(), 1_000_000, 5)
          .mapEmpty();
    } else if (random.nextInt(8) == 0) {
      // Seldom: messages have to become old enough for retention, eviction and ttl.
      return store.deleteQueues(shuffled(QUEUES)).mapEmpty();
    } else {
      return pop();
    }
  }

  private Future<Void> aboutSome() {
    Got some = anyGot();
    return background.about(some.batch(), some.group());
  }

  /** What operators do to messages that others work on. */
  private Future<Void> operate() {
    int kind = random.nextInt(100);
    if (kind < 3) {
      return store
          .pause(new PopPause(queue(), Optional.of(group()), false, Optional.empty()))
          .mapEmpty();
    } else if (kind < 6 && !leases().isEmpty()) {
      return store
          .endLease(anyGot().batch().lease().map(Lease::id).orElse(UUID.randomUUID()))
          .mapEmpty();
    } else if (kind < 10) {
      return store
          .purge(
              new DeadLetterSelection(
                  queue(),
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty(),
                  List.of()))
          .mapEmpty();
    } else if (kind < 12) {
      return store.sweepOrphans().mapEmpty();
    } else if (kind < 20) {
      return store
          .clear(queue(), random.nextBoolean() ? Optional.empty() : Optional.of(partition()))
          .mapEmpty();
    } else if (kind < 28) {
      return store.deletePartition(queue(), partition()).mapEmpty();
    } else if (kind < 60 || got.isEmpty()) {
      return store
          .redrive(
              new Redrive.Selected(
                  new DeadLetterSelection(
                      queue(),
                      Optional.empty(),
                      random.nextBoolean() ? Optional.empty() : Optional.of(group()),
                      Optional.empty(),
                      Optional.empty(),
                      List.of()),
                  1 + random.nextInt(20),
                  Optional.empty()))
          .mapEmpty();
    }
    Got some = anyGot();
    MessageKey message =
        new MessageKey(some.batch().partitionId(), some.batch().messages().get(0).transactionId());
    return kind < 80
        ? store.deleteMessage(message).mapEmpty()
        : store.deadLetter(new DeadLettering(message, group(), Optional.of("by hand"))).mapEmpty();
  }

  private List<Message> messages() {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(partitions); i++) {
      Message message = session.message(queue(), partition(), number + "-" + count + "-" + i);
      // Some as if no reply had come.
      messages.add(random.nextInt(10) == 0 ? message.sentAt(Instant.now()) : message);
    }
    return messages;
  }

  private Future<Void> pop() {
    List<PopRequest> requests = new ArrayList<>();
    List<String> groups = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(5); i++) {
      groups.add(group());
      requests.add(
          random.nextInt(3) == 0
              ? candidates(groups.get(i))
              : Session.named(queue(), partition(), groups.get(i), 1 + random.nextInt(4)));
    }
    return store
        .pop(requests)
        .map(
            outcomes -> {
              for (int i = 0; i < outcomes.size(); i++) {
                if (outcomes.get(i) instanceof PopOutcome.Served served) {
                  String group = groups.get(i);
                  served.batches().forEach(batch -> remember(new Got(batch, group)));
                }
              }
              return null;
            });
  }

  /** Partitions that were met before, or none: then the group subscribes to the queue. */
  private PopRequest candidates(String group) {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < random.nextInt(4) && !got.isEmpty(); i++) {
      UUID id = anyGot().batch().partitionId();
      if (!ids.contains(id)) {
        ids.add(id);
      }
    }
    return new PopRequest(
        new PopTarget.Candidates(Optional.of(queue()), ids),
        group,
        1 + random.nextInt(6),
        1 + random.nextInt(3),
        random.nextInt(4) == 0,
        new Subscription.All());
  }

  private void remember(Got batch) {
    assertThat(batch.batch().messages())
        .as("no deleted message is delivered")
        .noneMatch(message -> message.transactionId() == null);
    got.add(batch);
    if (got.size() > REMEMBERED) {
      got.remove(0);
    }
  }

  private List<Ack> acks() {
    List<Ack> acks = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(4) && !got.isEmpty(); i++) {
      Got some = anyGot();
      some.batch()
          .messages()
          .forEach(m -> acks.add(ack(Session.done(some.batch(), some.group(), m))));
    }
    return shuffled(acks);
  }

  /** Some without a lease, so that cursors may have to be made; some as dead letters. */
  private Ack ack(Ack done) {
    return new Ack(
        done.partitionId(),
        random.nextInt(10) == 0 ? group() : done.group(),
        done.message(),
        random.nextInt(4) == 0 ? Optional.empty() : done.leaseId(),
        random.nextInt(4) == 0 ? AckStatus.DLQ : done.status(),
        done.error());
  }

  private Future<Void> transaction() {
    List<Operation> operations = new ArrayList<>();
    messages().forEach(message -> operations.add(new Operation.Push(message)));
    acks().forEach(ack -> operations.add(new Operation.Acknowledge(ack)));
    List<UUID> required = random.nextBoolean() ? List.of() : leases();
    Optional<IdempotencyKey> key =
        random.nextBoolean()
            ? Optional.empty()
            : Optional.of(new IdempotencyKey("owner", "key" + random.nextInt(200), "digest"));
    return store
        .transaction(
            new Transaction(
                shuffled(operations),
                required,
                Optional.of(UUID.randomUUID()),
                key,
                random.nextInt(4) == 0))
        .mapEmpty();
  }

  /** Of one of two queries, from any partition to any, with and without a lease and a key. */
  private Future<Void> cycle() {
    if (got.isEmpty()) {
      return Future.succeededFuture();
    }
    Got some = anyGot();
    StoredMessage last =
        some.batch().messages().get(random.nextInt(some.batch().messages().size()));
    Cycle.Consumed consumed =
        new Cycle.Consumed(
            last.transactionId(),
            random.nextInt(4) == 0 ? Optional.empty() : some.batch().lease().map(Lease::id),
            1,
            random.nextInt(4) == 0 ? Optional.of("no") : Optional.empty(),
            random.nextBoolean());
    String query = "query" + random.nextInt(2);
    String hash = "hash" + random.nextInt(20) / 19;
    return store
        .register(new StreamQuery(query, "Mixed", Optional.empty(), hash, true))
        .compose(
            outcome ->
                store.cycle(
                    new Cycle(
                        ((StreamRegistration.Registered) outcome).id(),
                        some.batch().partitionId(),
                        some.group(),
                        shuffled(
                            List.of(
                                new StateChange.Put("a", "1", OptionalDouble.empty()),
                                new StateChange.Put("b", "1", OptionalDouble.empty()),
                                new StateChange.Remove("c"))),
                        shuffled(messages()),
                        random.nextInt(4) == 0 ? Optional.empty() : Optional.of(consumed),
                        random.nextBoolean()
                            ? Optional.empty()
                            : Optional.of("key" + random.nextInt(50)))))
        .mapEmpty();
  }

  private List<UUID> leases() {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(3) && !got.isEmpty(); i++) {
      anyGot().batch().lease().map(Lease::id).ifPresent(ids::add);
    }
    return ids;
  }

  private Got anyGot() {
    return got.get(random.nextInt(got.size()));
  }

  private <T> List<T> shuffled(List<T> list) {
    List<T> copy = new ArrayList<>(list);
    Collections.shuffle(copy, random);
    return copy;
  }

  private Optional<String> anyQueue() {
    return random.nextBoolean() ? Optional.empty() : Optional.of(queue());
  }

  private String queue() {
    return QUEUES.get(random.nextInt(QUEUES.size()));
  }

  private String partition() {
    return "p" + random.nextInt(partitions);
  }

  private String group() {
    return GROUPS.get(random.nextInt(GROUPS.size()));
  }

  /** With a limit that is reached now and then, mostly. */
  private QueueConfiguration configuration(String queue) {
    JsonObject options = new JsonObject();
    if (random.nextInt(4) > 0) {
      options.put("maxSize", 1 + random.nextInt(60));
    }
    if (random.nextInt(6) == 0) {
      options.put("encryptionEnabled", true);
    }
    if (random.nextInt(3) == 0) {
      options.put("dedupWindowSeconds", 0);
    }
    if (random.nextBoolean()) {
      options
          .put("maxWaitTimeSeconds", 1)
          .put("retentionEnabled", true)
          .put("retentionSeconds", 1)
          .put("completedRetentionSeconds", 1);
    }
    if (random.nextBoolean()) {
      options.put("ttl", 1).put("deadLetterQueue", random.nextBoolean());
    }
    return new QueueConfiguration(
        queue, Optional.empty(), Optional.empty(), QueueOptions.of(options), false);
  }
}
