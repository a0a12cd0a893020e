package dev.queenmq.server.store.pop;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.encryption.MessageIdentity;
import dev.queenmq.server.encryption.PayloadForm;
import dev.queenmq.server.encryption.UnopenablePayloadException;
import dev.queenmq.server.logging.LimitedLog;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.SkippedPartition;
import dev.queenmq.server.model.StoreException;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.ListIterator;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens what a pop got. A message that cannot be opened, or that is plain though it had to be
 * sealed, is not delivered, and neither is what follows it in its partition: they go back as if
 * they had not been handed out ({@code withhold_v1}), and the partition is asked again after a
 * while. No delivery is counted, because the operator has to supply the key. Owned by the store's
 * event loop.
 */
public final class PayloadDecryptor {
  private static final Logger LOG = LoggerFactory.getLogger(PayloadDecryptor.class);
  private static final String SQL = "select queen.withhold_v1($1, $2, $3, $4, $5, $6)";
  private static final String COMPLETE_LEASES = "select queen.complete_leases_v1($1, $2, $3, $4)";
  private static final Duration PAUSE = Duration.ofSeconds(30);
  private static final int MOST_ATTEMPTS = 3;

  private final StoreClient client;
  private final Encryption encryption;
  private final short shard;
  private final LimitedLog errors;

  public PayloadDecryptor(
      StoreClient client, Encryption encryption, short shard, LongSupplier nanoTime) {
    this.client = client;
    this.encryption = encryption;
    this.shard = shard;
    errors = new LimitedLog(LOG::error, nanoTime);
  }

  /** The outcomes of these requests, with every payload readable. */
  Future<List<PopOutcome>> open(List<PopRequest> requests, List<PopOutcome> outcomes) {
    Withheld withheld = new Withheld();
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof PopOutcome.Served served) {
        open(served, requests.get(i), withheld);
      }
    }
    if (withheld.partitionIds.isEmpty()) {
      return settled(requests, outcomes);
    }
    return client
        .call(SQL, withheld.arguments(shard))
        .map(
            rows ->
                Optional.of(rows.iterator().next().getOffsetDateTime(0).toInstant().plus(PAUSE)))
        // The others must not wait for their leases to run out, too.
        .otherwise(
            failure -> {
              LOG.error("Messages that cannot be decrypted were not given back", failure);
              withheld.keepUndone();
              return Optional.empty();
            })
        .map(
            due -> {
              withheld.pass(due);
              return outcomes;
            })
        .compose(opened -> settled(requests, opened));
  }

  /**
   * Encrypted messages are leased also with autoAck, until they have been decrypted. They are then
   * marked as done, and only then delivered.
   */
  private Future<List<PopOutcome>> settled(List<PopRequest> requests, List<PopOutcome> outcomes) {
    List<UUID> partitionIds = new ArrayList<>();
    List<String> groups = new ArrayList<>();
    List<UUID> leaseIds = new ArrayList<>();
    eachAutoAck(
        requests,
        outcomes,
        (batch, group) -> {
          partitionIds.add(batch.partitionId());
          groups.add(group);
          batch.lease().map(Lease::id).ifPresent(leaseIds::add);
          return Optional.of(batch);
        });
    if (leaseIds.isEmpty()) {
      return Future.succeededFuture(outcomes);
    }
    Tuple arguments =
        Tuple.of(shard)
            .addArrayOfUUID(partitionIds.toArray(UUID[]::new))
            .addArrayOfString(groups.toArray(String[]::new))
            .addArrayOfUUID(leaseIds.toArray(UUID[]::new));
    return settle(arguments, leaseIds, 1)
        // Not delivered: they come again when their leases end.
        .otherwise(
            failure -> {
              LOG.warn("Decrypted messages could not be marked as done: {}", failure.toString());
              return Set.of();
            })
        .map(
            leases -> {
              eachAutoAck(
                  requests,
                  outcomes,
                  (batch, group) ->
                      batch
                          .lease()
                          .map(Lease::id)
                          .filter(leases::contains)
                          .map(id -> batch.done()));
              return outcomes;
            });
  }

  /** Marks what leases cover as done; answers those under which it is. */
  private Future<Set<UUID>> settle(Tuple arguments, List<UUID> leaseIds, int attempt) {
    return client
        .call(COMPLETE_LEASES, arguments)
        .recover(Failures::<RowSet<Row>>translate)
        .<Set<UUID>>map(
            rows ->
                // An attempt that got no reply may have ended the leases.
                attempt > 1
                    ? Set.copyOf(leaseIds)
                    : Set.of(rows.iterator().next().getArrayOfUUIDs(0)))
        .recover(
            failure ->
                attempt < MOST_ATTEMPTS
                        && failure instanceof StoreException store
                        && store.mayHaveHappened()
                    ? settle(arguments, leaseIds, attempt + 1)
                    : Future.failedFuture(failure));
  }

  /**
   * Replaces what requests with autoAck got under a lease; without a replacement it is left out.
   */
  private static void eachAutoAck(
      List<PopRequest> requests,
      List<PopOutcome> outcomes,
      BiFunction<PartitionBatch, String, Optional<PartitionBatch>> replacement) {
    for (int i = 0; i < outcomes.size(); i++) {
      if (requests.get(i).autoAck() && outcomes.get(i) instanceof PopOutcome.Served served) {
        ListIterator<PartitionBatch> batches = served.batches().listIterator();
        while (batches.hasNext()) {
          PartitionBatch batch = batches.next();
          if (batch.lease().isPresent()) {
            replacement
                .apply(batch, requests.get(i).group())
                .ifPresentOrElse(batches::set, batches::remove);
          }
        }
      }
    }
  }

  private void open(PopOutcome.Served served, PopRequest request, Withheld withheld) {
    ListIterator<PartitionBatch> batches = served.batches().listIterator();
    while (batches.hasNext()) {
      PartitionBatch batch = batches.next();
      int readable = open(batch);
      if (readable < batch.messages().size()) {
        withheld.add(served, batch, request, readable);
        if (readable == 0) {
          batches.remove();
        } else {
          batches.set(batch.first(readable));
        }
      }
    }
  }

  /** Decrypts messages in order; returns how many it could, before the first that it could not. */
  private int open(PartitionBatch batch) {
    List<StoredMessage> messages = batch.messages();
    for (int i = 0; i < messages.size(); i++) {
      StoredMessage message = messages.get(i);
      if (message.form() != PayloadForm.PLAIN) {
        MessageIdentity place = new MessageIdentity(batch.queue(), batch.partition(), message.id());
        try {
          messages.set(
              i, message.opened(encryption.opened(message.payload(), message.form(), place)));
        } catch (UnopenablePayloadException e) {
          report(batch, message, e);
          return i;
        }
      }
    }
    return messages.size();
  }

  /** By queue: it may have very many partitions. */
  private void report(PartitionBatch batch, StoredMessage message, UnopenablePayloadException why) {
    errors.write(
        batch.queue(),
        "",
        "Queue '%s': messages cannot be delivered, partition '%s' from offset %d on: %s"
            .formatted(batch.queue(), batch.partition(), message.offset(), why.getMessage()));
  }

  /** A partition of an answer. */
  private record Part(PopOutcome.Served served, UUID partitionId) {}

  /** What goes back, as {@code withhold_v1} takes it. */
  private static final class Withheld {
    final List<UUID> partitionIds = new ArrayList<>();
    private final List<String> groups = new ArrayList<>();
    private final List<@Nullable UUID> leaseIds = new ArrayList<>();
    private final List<Integer> cursors = new ArrayList<>();
    private final List<Long> offsets = new ArrayList<>();
    // Partitions of which nothing is left in the answer.
    private final List<Part> emptied = new ArrayList<>();
    // Partitions of which the rest is delivered, and done at once.
    private final List<Part> cut = new ArrayList<>();

    void add(PopOutcome.Served served, PartitionBatch batch, PopRequest request, int from) {
      partitionIds.add(batch.partitionId());
      groups.add(request.group());
      leaseIds.add(batch.lease().map(Lease::id).orElse(null));
      for (StoredMessage message : batch.messages().subList(from, batch.messages().size())) {
        cursors.add(partitionIds.size());
        offsets.add(message.offset());
      }
      Part part = new Part(served, batch.partitionId());
      if (from == 0) {
        emptied.add(part);
      } else if (request.autoAck()) {
        cut.add(part);
      }
    }

    /**
     * They could not be given back, so their leases still cover them. What is marked as done is all
     * that a lease covers: nothing of such a partition is delivered, and everything comes again
     * when its lease ends.
     */
    void keepUndone() {
      for (Part each : cut) {
        each.served().batches().removeIf(batch -> batch.partitionId().equals(each.partitionId()));
      }
      emptied.addAll(cut);
    }

    Tuple arguments(short shard) {
      return Tuple.of(shard)
          .addArrayOfUUID(partitionIds.toArray(UUID[]::new))
          .addArrayOfString(groups.toArray(String[]::new))
          .addArrayOfUUID(leaseIds.toArray(UUID[]::new))
          .addArrayOfInteger(cursors.toArray(Integer[]::new))
          .addArrayOfLong(offsets.toArray(Long[]::new));
    }

    /** Partitions that gave nothing in the end are passed over for now. */
    void pass(Optional<Instant> due) {
      for (Part each : emptied) {
        each.served()
            .passed()
            .add(
                new SkippedPartition(
                    Optional.of(each.partitionId()), SkippedPartition.Reason.PAUSED, due));
      }
    }
  }
}
