package dev.queenmq.bench.spool;

import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.BlockingClient;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.PushResult;
import dev.queenmq.bench.broker.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntConsumer;

/**
 * Pushes numbered messages to a partition of its own, one request after the other, and remembers
 * what it was promised. A message that was refused, or not answered, is not sent again. For one
 * thread, and whoever looks when that has ended.
 */
final class Producer {
  private static final int MOST_ITEMS = 4;

  final String partition;

  /** The numbers that must come. */
  final List<Long> promised = new ArrayList<>();

  int queued;
  int buffered;
  int refused;
  int unanswered;
  private final String queue;
  private final Random random;
  private long next;

  Producer(String queue, String partition, long seed) {
    this.queue = queue;
    this.partition = partition;
    this.random = new Random(seed);
  }

  /**
   * Sends one request.
   *
   * @param onBuffered gets how many of it were buffered
   * @return whether it was answered
   */
  boolean push(BlockingClient client, IntConsumer onBuffered) {
    Bodies bodies = Bodies.push();
    long first = next;
    int items = random.nextInt(1, MOST_ITEMS + 1);
    for (int i = 0; i < items; i++) {
      String id = queue + "-" + partition + "-" + next;
      bodies.item(queue, partition, id, PopMessage.payload(next));
      next++;
    }
    Optional<Reply> reply = client.post(BrokerClient.PUSH, bodies.finish());
    if (reply.isEmpty()) {
      unanswered += items;
    } else if (!reply.get().isSuccess()) {
      refused += items;
    } else {
      onBuffered.accept(note(first, Answers.push(reply.get())));
    }
    return reply.isPresent();
  }

  /** Notes what was promised; how many of it were buffered. */
  private int note(long first, List<PushResult> results) {
    int kept = 0;
    for (int i = 0; i < results.size(); i++) {
      PushResult result = results.get(i);
      if (result.isQueued()) {
        queued++;
      } else if (result.isBuffered()) {
        kept++;
      } else {
        refused++;
        continue;
      }
      promised.add(first + i);
    }
    buffered += kept;
    return kept;
  }
}
