package dev.queenmq.server.http.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.http.admin.SharedAnswers.Answer;
import dev.queenmq.server.http.json.HttpProblem;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SharedAnswersTest {
  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong clock = new AtomicLong(7);
  private final SharedAnswers answers = new SharedAnswers(clock::get);
  private final List<Promise<Answer>> asked = new ArrayList<>();

  private Future<Answer> ask(String question) {
    return answers.ask(
        question,
        () -> {
          Promise<Answer> promise = Promise.promise();
          asked.add(promise);
          return promise.future();
        });
  }

  private void answer(String body) {
    asked.get(asked.size() - 1).complete(new Answer(200, "text/plain", Buffer.buffer(body)));
  }

  private String askNow(String question) {
    int before = asked.size();
    Future<Answer> future = ask(question);
    if (asked.size() > before) {
      answer("answer " + asked.size());
    }
    return future.result().body().toString();
  }

  @Test
  void questionsAtTheSameTime_shareOneAnswer() {
    List<Future<Answer>> all = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      all.add(ask("/metrics/prometheus"));
    }
    ask("/metrics");
    assertThat(asked).hasSize(2);
    asked.get(0).complete(new Answer(200, "text/plain", Buffer.buffer("x")));
    assertThat(all).allSatisfy(each -> assertThat(each.result().body().toString()).isEqualTo("x"));
  }

  @Test
  void aQuestionThatIsAskedOften_isAnsweredAFewTimesASecond() {
    for (int i = 1; i <= SharedAnswers.FRESH_PER_SECOND; i++) {
      assertThat(askNow("/q")).isEqualTo("answer " + i);
    }
    for (int i = 0; i < 100; i++) {
      assertThat(askNow("/q")).isEqualTo("answer " + SharedAnswers.FRESH_PER_SECOND);
    }
    clock.addAndGet(SECOND);
    assertThat(askNow("/q")).isEqualTo("answer " + (SharedAnswers.FRESH_PER_SECOND + 1));
  }

  @Test
  void failuresAndLargeAnswers_areNotKept() {
    for (int i = 0; i < SharedAnswers.FRESH_PER_SECOND; i++) {
      askNow("/q");
    }
    clock.addAndGet(SECOND);
    for (int i = 0; i < 2 * SharedAnswers.FRESH_PER_SECOND; i++) {
      Future<Answer> future = ask("/q");
      asked.get(asked.size() - 1).fail("away");
      assertThat(future.failed()).isTrue();
    }
    answers.ask(
        "/bad",
        () -> {
          throw HttpProblem.badRequest("no");
        });
    assertThat(askNow("/bad")).startsWith("answer");
    for (int i = 0; i < 2 * SharedAnswers.FRESH_PER_SECOND; i++) {
      int before = asked.size();
      ask("/large");
      answer("x".repeat(200_000));
      assertThat(asked).hasSize(before + 1);
    }
  }

  @Test
  void manyDifferentQuestions_areForgotten_butNotWhileTheyAreAnswered() {
    Future<Answer> slow = ask("/slow");
    for (int i = 0; i < 1_000; i++) {
      askNow("/q" + i);
    }
    assertThat(ask("/slow")).isSameAs(slow);
  }
}
