package dev.queenmq.spring.it;

import dev.queenmq.client.Message;
import dev.queenmq.client.PayloadException;
import dev.queenmq.spring.ListenerFailure;
import dev.queenmq.spring.QueenErrorHandler;
import dev.queenmq.spring.QueenListener;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.context.annotation.Bean;

/** Listeners of all kinds, and what they got. */
class Listeners {
  static final int LANES = 4;

  record Note(int number, String text) {}

  final Map<String, List<Integer>> lanes = new ConcurrentHashMap<>();
  final CountDownLatch allLanesAtWork = new CountDownLatch(LANES);
  final List<String> calls = new CopyOnWriteArrayList<>();
  final List<ListenerFailure> failures = new CopyOnWriteArrayList<>();
  final List<Message<?>> traced = new CopyOnWriteArrayList<>();

  @QueenListener(queue = "${test.prefix}lanes", concurrency = "${test.lanes}")
  void inLanes(Note note, Message<Note> message) throws InterruptedException {
    if (note.number() == 0) {
      allLanesAtWork.countDown();
      if (!allLanesAtWork.await(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("lanes wait for each other");
      }
    }
    lanes
        .computeIfAbsent(message.partition(), lane -> new CopyOnWriteArrayList<>())
        .add(note.number());
  }

  @QueenListener(queue = "failing", group = "g")
  void fails(Note note) {
    calls.add("failing " + note.number());
    if (note.number() == 1) {
      throw new IllegalStateException("never");
    }
  }

  @QueenListener(
      queue = "batches",
      group = "g",
      startAt = "oldest",
      id = "batches",
      autoStartup = "false")
  void batches(List<Message<Note>> messages) {
    calls.add("batch of " + messages.size());
    messages.get(0).ack();
    if (messages.size() > 1) {
      throw new IllegalStateException("the second one");
    }
  }

  @QueenListener(
      queue = "mixed",
      group = "g",
      startAt = "oldest",
      id = "mixed",
      autoStartup = "false",
      errorHandler = "deciding")
  void mixed(List<Note> notes) {
    calls.add("mixed " + notes.stream().map(Note::number).toList());
  }

  @QueenListener(
      queue = "unreadable",
      group = "g",
      startAt = "oldest",
      id = "unreadable",
      autoStartup = "false")
  void unreadable(List<Note> notes) {
    calls.add("unreadable " + notes.stream().map(Note::number).toList());
  }

  @QueenListener(queue = "deciding", group = "g", errorHandler = "deciding")
  void decides(Message<Note> message) {
    Note note = message.payload();
    String call = note.text() + " " + note.number();
    boolean isFirst = !calls.contains(call);
    calls.add(call);
    // A retry is not counted as an attempt.
    if (isFirst || !note.text().equals("RETRY")) {
      throw new IllegalStateException(note.text());
    }
  }

  @QueenListener(queue = "promising", group = "g", errorHandler = "deciding")
  CompletionStage<String> promises(Note note) {
    calls.add("promised " + note.number());
    return note.text().isEmpty()
        ? CompletableFuture.completedFuture("kept")
        : CompletableFuture.failedFuture(new IllegalStateException(note.text()));
  }

  @QueenListener(queue = "traced", group = "g")
  void traced(Message<?> message) {
    traced.add(message);
  }

  /** Does what the exception says. */
  @Bean
  QueenErrorHandler deciding() {
    return failure -> {
      failures.add(failure);
      return failure.error() instanceof PayloadException
          ? QueenErrorHandler.Decision.DEAD_LETTER
          : QueenErrorHandler.Decision.valueOf(String.valueOf(failure.error().getMessage()));
    };
  }

  /** So that there is not only one. */
  @Bean
  QueenErrorHandler counting() {
    return failure -> {
      throw new IllegalStateException("no listener names this one");
    };
  }
}
