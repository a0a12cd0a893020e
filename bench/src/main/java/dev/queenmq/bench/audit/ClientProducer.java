package dev.queenmq.bench.audit;

import dev.queenmq.bench.audit.ledger.AuditedMessage;
import dev.queenmq.bench.audit.ledger.Names;
import dev.queenmq.bench.audit.ledger.PushTrouble;
import dev.queenmq.bench.broker.PushResult;
import dev.queenmq.client.OutgoingMessage;
import dev.queenmq.client.QueenClient;
import dev.queenmq.client.QueueRef;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Pushes by the Java client, which repeats what was not answered. For one event loop. */
final class ClientProducer implements PushClient {
  private final AuditContext audit;
  private final QueenClient client;
  private final QueueRef queue;

  ClientProducer(AuditContext audit, QueenClient client) {
    this.audit = audit;
    this.client = client;
    queue = client.queue(audit.names().queue());
  }

  @Override
  public Future<List<PushResult>> push(List<AuditedMessage> messages, AuditClient.Sending how) {
    List<OutgoingMessage> outgoing =
        messages.stream()
            .map(
                message ->
                    OutgoingMessage.of(message.payload().getBytes(StandardCharsets.UTF_8))
                        .withTransactionId(message.transactionId())
                        .withPartition(Names.partition(message.partition())))
            .toList();
    return Future.fromCompletionStage(queue.pushAllAsync(outgoing), audit.loop().context())
        .map(results -> results.stream().map(ClientProducer::result).toList());
  }

  private static PushResult result(dev.queenmq.client.PushResult result) {
    return new PushResult(
        result.status().name().toLowerCase(Locale.ROOT),
        Objects.requireNonNullElse(result.messageId(), ""));
  }

  @Override
  public boolean isRepeating() {
    return true;
  }

  /** The client does not say; only one that spools needs to be known. */
  @Override
  public String broker() {
    return "";
  }

  @Override
  public Optional<PushTrouble> trouble(Throwable failure) {
    return Optional.empty();
  }

  @Override
  public Future<Void> close() {
    return Future.fromCompletionStage(
        CompletableFuture.runAsync(client::close), audit.loop().context());
  }
}
