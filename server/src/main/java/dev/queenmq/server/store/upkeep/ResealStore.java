package dev.queenmq.server.store.upkeep;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.encryption.MessageIdentity;
import dev.queenmq.server.encryption.PayloadForm;
import dev.queenmq.server.encryption.UnopenablePayloadException;
import dev.queenmq.server.model.StoreException;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Seals again what is stored, in steps: with the current key, bound to its message.
 *
 * <p>A step asks what to do ({@code reseal_look_v1}), reads a page ({@code reseal_segments_v1},
 * then {@code reseal_letters_v1}), seals it, and stores it together with the place where the next
 * step starts ({@code reseal_store_v1}). So a pass that was interrupted goes on where it stopped,
 * at any broker. Between reading and storing no lock is held: what changed meanwhile is left to the
 * next pass. What cannot be opened stays as it is, and so does what is not trusted: a pass must not
 * make a forged payload a good one. Failures are {@link StoreException}s.
 */
public final class ResealStore {
  /** A broker that was not seen for this long counts as stopped. */
  public static final Duration LIVE = Duration.ofSeconds(90);

  private static final String LOOK =
      "select * from queen.reseal_look_v1($1, $2, $3, make_interval(secs => $4),"
          + " make_interval(secs => $5), make_interval(secs => $6))";
  private static final String SEGMENTS =
      "select * from queen.reseal_segments_v1($1, $2, $3, $4, $5, $6, $7)";
  private static final String LETTERS =
      "select * from queen.reseal_letters_v1($1, $2, $3, $4, $5, $6, $7)";
  private static final String STORE =
      "select * from queen.reseal_store_v1($1, $2, $3, make_interval(secs => $4), $5, $6, $7, $8,"
          + " $9, $10, $11, $12, $13, $14, $15, $16)";
  private static final String STOPPED = "select queen.sealing_stopped_v1($1, $2)";
  private static final double LEASE_SECONDS = 30;
  private static final double RETRY_SECONDS = 3600;

  /**
   * How much a step takes on.
   *
   * @param partitions that it looks at, at most
   * @param rows segments or dead letters that it looks at, at most
   * @param bytes of payloads that it seals, at most, and at least one row
   */
  public record Page(int partitions, int rows, long bytes) {
    /** A few milliseconds of work. */
    public static Page usual() {
      return new Page(500, 200, 1 << 20);
    }
  }

  private final StoreClient client;
  private final Encryption encryption;
  private final short shard;
  private final UUID broker;
  private final Page page;

  /**
   * Steps that have not begun.
   *
   * @param broker any id, of this start of this broker
   */
  public ResealStore(
      StoreClient client, Encryption encryption, short shard, UUID broker, Page page) {
    this.client = client;
    this.encryption = encryption;
    this.shard = shard;
    this.broker = broker;
    this.page = page;
  }

  /** Takes a step, if there is one to take here. */
  public Future<ResealStep> step() {
    String keyId =
        encryption
            .cipher()
            .sealingKeyId()
            .orElseThrow(() -> new IllegalStateException("nothing to seal with"));
    return client
        .call(
            LOOK,
            Tuple.of(shard, broker, keyId, (double) LIVE.toSeconds(), LEASE_SECONDS, RETRY_SECONDS))
        .compose(
            rows -> {
              Row look = rows.iterator().next();
              String state = look.getString("o_state");
              return state.equals("work")
                  ? step(look, keyId)
                  : Future.succeededFuture(
                      new ResealStep(
                          ResealStep.State.valueOf(state.toUpperCase(Locale.ROOT)), 0, 0));
            })
        .recover(Failures::translate);
  }

  private Future<ResealStep> step(Row look, String keyId) {
    Tuple arguments = Tuple.of(shard, keyId).addUUID(look.getUUID("o_partition"));
    boolean letters = look.getBoolean("o_letters");
    if (letters) {
      arguments.addString(look.getString("o_group"));
    }
    arguments.addLong(look.getLong("o_offset"));
    if (!letters) {
      arguments.addInteger(page.partitions);
    }
    return client
        .call(letters ? LETTERS : SEGMENTS, arguments.addInteger(page.rows).addLong(page.bytes))
        .compose(
            rows -> {
              Work work = new Work();
              @Nullable Row next = null;
              for (Row row : rows) {
                if (row.getString("version") == null) {
                  next = row;
                } else {
                  work.add(row);
                }
              }
              if (next == null) {
                throw new IllegalStateException("a page without an end");
              }
              return client
                  .call(STORE, work.arguments(look.getUUID("o_pass_id"), next))
                  .map(stored -> outcome(stored.iterator().next(), work));
            });
  }

  private static ResealStep outcome(Row stored, Work work) {
    return switch (stored.getString("o_state")) {
      case "more" -> new ResealStep(ResealStep.State.MORE, stored.getLong("o_stored"), work.left);
      case "done" -> new ResealStep(ResealStep.State.DONE, stored.getLong("o_stored"), work.left);
      default -> new ResealStep(ResealStep.State.HELD, 0, 0);
    };
  }

  /** Seals no more; another broker goes on at once. */
  public Future<Void> stopped() {
    return client.call(STOPPED, Tuple.of(shard, broker)).recover(Failures::translate).mapEmpty();
  }

  /** What a step stores. */
  private final class Work {
    private final List<UUID> partitionIds = new ArrayList<>();
    private final List<@Nullable String> groups = new ArrayList<>();
    private final List<Long> offsets = new ArrayList<>();
    private final List<String> versions = new ArrayList<>();
    private final List<UUID> queueIds = new ArrayList<>();
    private final List<Integer> items = new ArrayList<>();
    private final List<String> payloads = new ArrayList<>();
    private final Set<UUID> leftQueues = new LinkedHashSet<>();
    private long left;

    void add(Row row) {
      @Nullable String[] transactionIds = row.getArrayOfStrings("transaction_ids");
      UUID[] ids = row.getArrayOfUUIDs("message_ids");
      String[] stored = row.getArrayOfStrings("payloads");
      PayloadForm form = PayloadForm.of(row.getShort("form"));
      boolean changed = false;
      List<String> sealed = new ArrayList<>(stored.length);
      for (int i = 0; i < stored.length; i++) {
        // One that was deleted has no transaction id, and nothing to seal.
        String now =
            transactionIds[i] == null
                ? stored[i]
                : sealed(
                    stored[i],
                    form,
                    new MessageIdentity(row.getString("queue"), row.getString("partition"), ids[i]),
                    row.getUUID("queue_id"));
        changed |= !now.equals(stored[i]);
        sealed.add(now);
      }
      if (changed || form == PayloadForm.PLAIN) {
        partitionIds.add(row.getUUID("partition_id"));
        groups.add(row.getString("consumer_group"));
        offsets.add(row.getLong("message_offset"));
        versions.add(row.getString("version"));
        queueIds.add(row.getUUID("queue_id"));
        payloads.addAll(sealed);
        sealed.forEach(each -> items.add(partitionIds.size()));
      }
    }

    private String sealed(String stored, PayloadForm form, MessageIdentity place, UUID queueId) {
      if (form.isSealed() && encryption.cipher().isCurrent(stored)) {
        return stored;
      }
      try {
        return encryption.cipher().seal(encryption.opened(stored, form, place), place);
      } catch (UnopenablePayloadException e) {
        left++;
        leftQueues.add(queueId);
        return stored;
      }
    }

    Tuple arguments(UUID passId, Row next) {
      return Tuple.of(shard, broker, passId, LEASE_SECONDS)
          .addArrayOfUUID(partitionIds.toArray(UUID[]::new))
          .addArrayOfString(groups.toArray(String[]::new))
          .addArrayOfLong(offsets.toArray(Long[]::new))
          .addArrayOfString(versions.toArray(String[]::new))
          .addArrayOfUUID(queueIds.toArray(UUID[]::new))
          .addArrayOfInteger(items.toArray(Integer[]::new))
          .addArrayOfString(payloads.toArray(String[]::new))
          .addLong(left)
          .addArrayOfUUID(leftQueues.toArray(UUID[]::new))
          .addUUID(next.getUUID("partition_id"))
          .addString(next.getUUID("partition_id") == null ? null : next.getString("consumer_group"))
          .addLong(next.getLong("message_offset"));
    }
  }
}
