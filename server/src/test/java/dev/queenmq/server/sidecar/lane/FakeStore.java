package dev.queenmq.server.sidecar.lane;

import dev.queenmq.server.model.StoreException;
import dev.queenmq.server.store.StoreFailures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A store that answers when a test says so: each item with itself in capital letters. */
final class FakeStore {
  private final List<List<String>> calls = new ArrayList<>();
  private final List<Promise<List<String>>> answers = new ArrayList<>();

  Future<List<String>> call(List<String> items) {
    Promise<List<String>> answer = Promise.promise();
    calls.add(List.copyOf(items));
    answers.add(answer);
    return answer.future();
  }

  /** What it was asked, call by call. */
  List<List<String>> calls() {
    return calls;
  }

  /** Answers a call, by its number from 0. */
  void answer(int call) {
    answers
        .get(call)
        .complete(calls.get(call).stream().map(item -> item.toUpperCase(Locale.ROOT)).toList());
  }

  void fail(int call, StoreException.Kind kind) {
    fail(call, StoreFailures.of(kind));
  }

  void fail(int call, Throwable failure) {
    answers.get(call).fail(failure);
  }
}
