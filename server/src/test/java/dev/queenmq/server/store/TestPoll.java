package dev.queenmq.server.store;

import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.store.push.WaitingPolls;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A poll that takes whatever is pushed, and writes down what becomes of it. */
public final class TestPoll implements WaitingPolls, WaitingPolls.WaitingPoll {
  private final PopRequest request;
  private final List<String> events = new ArrayList<>();
  private PopOutcome.@Nullable Served got;

  public TestPoll(PopRequest request) {
    this.request = request;
  }

  @Override
  public Optional<WaitingPoll> claim(String queue, UUID partitionId) {
    events.add("claimed");
    return Optional.of(this);
  }

  @Override
  public PopRequest request() {
    return request;
  }

  @Override
  public void served(PopOutcome.Served messages) {
    got = messages;
    events.add("served");
  }

  @Override
  public void unserved() {
    events.add("unserved");
  }

  @Override
  public void unknown(PopOutcome.Served messages) {
    got = messages;
    events.add("unknown");
  }

  /** What has happened to it, in order. */
  public List<String> events() {
    return events;
  }

  public Optional<PopOutcome.Served> served() {
    return Optional.ofNullable(got);
  }

  /** What it got, or may have got. */
  public PartitionBatch batch() {
    return served().orElseThrow().batches().get(0);
  }
}
