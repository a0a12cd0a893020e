package dev.queenmq.bench.http;

import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/** Sends pushes and sees whether they were taken. */
final class Pushing {
  private static final String QUEUED = "\"queued\"";

  private Pushing() {}

  /** How many messages it was, all of which must be new. */
  static Future<Integer> push(Lane lane, Buffer body, int size) {
    return lane.client()
        .post(BrokerClient.PUSH, body)
        .map(
            reply -> {
              if (queued(reply.orThrow()) != size) {
                throw new IllegalStateException("not all were queued: " + reply);
              }
              return size;
            });
  }

  private static int queued(Reply reply) {
    String text = reply.body().toString(StandardCharsets.ISO_8859_1);
    int count = 0;
    int at = text.indexOf(QUEUED);
    while (at >= 0) {
      count++;
      at = text.indexOf(QUEUED, at + QUEUED.length());
    }
    return count;
  }
}
