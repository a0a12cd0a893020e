package dev.queenmq.bench.http;

import dev.queenmq.bench.broker.AckResult;
import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.PopMessage;
import io.vertx.core.Future;
import java.util.List;

/** Pops and acknowledges for one group; an empty name means none. */
final class Consuming {
  private final Lane lane;
  private final String group;
  private final String pop;

  Consuming(Lane lane, String queue, String group, String query) {
    this.lane = lane;
    this.group = group;
    pop =
        BrokerClient.popPath(queue)
            + "?"
            + query
            + (group.isEmpty() ? "" : "&consumerGroup=" + BrokerUrl.encode(group));
  }

  Future<List<PopMessage>> pop() {
    return lane.client().get(pop).map(Answers::pop);
  }

  /** Says that all are done; how many that were. */
  Future<Integer> ack(List<PopMessage> messages) {
    Bodies body = Bodies.acks(group);
    messages.forEach(message -> body.ack(message, "completed"));
    return lane.client()
        .post(BrokerClient.ACK_BATCH, body.finish())
        .map(
            reply -> {
              List<AckResult> results = Answers.ack(reply);
              if (results.size() != messages.size()
                  || !results.stream().allMatch(AckResult::success)) {
                throw new IllegalStateException("not all were acknowledged: " + reply);
              }
              return results.size();
            });
  }
}
