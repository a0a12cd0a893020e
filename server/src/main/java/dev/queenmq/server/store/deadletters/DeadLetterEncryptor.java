package dev.queenmq.server.store.deadletters;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.encryption.MessageIdentity;
import dev.queenmq.server.encryption.PayloadForm;
import dev.queenmq.server.encryption.UnopenablePayloadException;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Seals dead letters before they are given back. One from before its queue was encrypted is plain,
 * and one of an older version is not bound to its message: as new messages they would not be
 * delivered. Works in pages, so that it holds no more than a few payloads.
 */
final class DeadLetterEncryptor {
  private static final String UNSEALED =
      "select * from queen.unsealed_letters_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
  private static final String SEAL = "select queen.seal_letters_v1($1, $2, $3, $4, $5, $6)";
  private static final int PAGE = 200;
  private static final long PAGE_BYTES = 4L << 20;

  private final StoreClient client;
  private final Encryption encryption;
  private final short shard;

  DeadLetterEncryptor(StoreClient client, Encryption encryption, short shard) {
    this.client = client;
    this.encryption = encryption;
    this.shard = shard;
  }

  /** Whether dead letters are given back as they are. */
  boolean isNeedless() {
    return encryption.storesPlain();
  }

  /** Whether it cannot be done here. */
  boolean isImpossible() {
    return !encryption.cipher().canSeal();
  }

  /**
   * Seals all of a selection. Fails with {@link UnopenablePayloadException} at the first that
   * cannot be opened.
   *
   * @param selection the arguments of {@code unsealed_letters_v1} up to the transaction ids
   */
  Future<Void> seal(Tuple selection) {
    Tuple arguments = Tuple.tuple();
    for (int i = 0; i < selection.size(); i++) {
      arguments.addValue(selection.getValue(i));
    }
    return client
        .call(UNSEALED, arguments.addInteger(PAGE).addLong(PAGE_BYTES))
        .recover(Failures::translate)
        .compose(
            rows ->
                rows.size() == 0
                    ? Future.succeededFuture()
                    : client
                        .call(SEAL, sealed(rows))
                        .recover(Failures::translate)
                        .compose(
                            done ->
                                done.iterator().next().getInteger(0) > 0
                                    ? seal(selection)
                                    // Other transactions have locked them.
                                    : Future.succeededFuture()));
  }

  private Tuple sealed(RowSet<Row> rows) {
    List<Row> letters = new ArrayList<>();
    rows.forEach(letters::add);
    return Tuple.of(shard)
        .addArrayOfUUID(letters.stream().map(row -> row.getUUID(0)).toArray(UUID[]::new))
        .addArrayOfString(letters.stream().map(row -> row.getString(1)).toArray(String[]::new))
        .addArrayOfLong(letters.stream().map(row -> row.getLong(2)).toArray(Long[]::new))
        .addArrayOfString(letters.stream().map(row -> row.getString(3)).toArray(String[]::new))
        .addArrayOfString(letters.stream().map(this::sealed).toArray(String[]::new));
  }

  private String sealed(Row letter) {
    MessageIdentity place =
        new MessageIdentity(letter.getString(4), letter.getString(5), letter.getUUID(6));
    PayloadForm form = PayloadForm.of(letter.getShort(7));
    String payload = encryption.opened(letter.getString(8), form, place);
    return encryption.cipher().seal(payload, place);
  }
}
