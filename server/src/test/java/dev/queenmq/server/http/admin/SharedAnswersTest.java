package dev.queenmq.server.http.admin;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.http.admin.SharedAnswers.Answer;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.routing.BodyHandler;
import dev.queenmq.server.http.server.RawClient;
import dev.queenmq.server.memory.MemoryBudget;
import dev.queenmq.server.memory.Purpose;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SharedAnswersTest {
  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong clock = new AtomicLong(7);
  private final MemoryBudget memory = BodyHandler.budget(132 << 20);
  private final SharedAnswers answers = new SharedAnswers(clock::get, memory);
  private final List<Promise<Answer>> asked = new ArrayList<>();

  private Future<Answer> ask(String question) {
    return answers.ask(
        question,
        false,
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
        false,
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
  void openPage_isOneQuestion_whateverItsQuery_andItsAnswerIsKept() throws Exception {
    Buffer large = Buffer.buffer("x".repeat(200_000));
    AtomicInteger answered = new AtomicInteger();
    try (Pages pages =
            new Pages(
                request ->
                    answers.openText(
                        request,
                        "/metrics",
                        "text/plain",
                        () -> {
                          answered.incrementAndGet();
                          return Future.succeededFuture(large);
                        }));
        RawClient client = pages.client()) {
      for (int i = 0; i < 3 * SharedAnswers.FRESH_PER_SECOND; i++) {
        client.send(RawClient.request("GET", "/metrics?n=" + i));
        assertThat(client.receive().body()).hasSize(large.length());
      }
    }
    assertThat(answered).hasValue(SharedAnswers.FRESH_PER_SECOND);
  }

  @Test
  void memory_isHeldUntilTheAnswerIsRead() throws Exception {
    // More than the buffers of both sockets hold.
    JsonArray large = new JsonArray().add("x".repeat(16 << 20));
    long bytes = large.toBuffer().length();
    try (Pages pages =
            new Pages(request -> answers.array(request, () -> Future.succeededFuture(large)));
        RawClient first = pages.client();
        RawClient second = pages.client();
        RawClient leaving = pages.client()) {
      first.send(RawClient.request("GET", "/first"));
      Awaitility.await().until(() -> held() == bytes);
      leaving.send(RawClient.request("GET", "/leaving"));
      Awaitility.await().until(() -> held() == 2 * bytes);

      // A quarter of the budget is for pages.
      second.send(RawClient.request("GET", "/second"));
      assertThat(second.receive().status()).isEqualTo(503);
      leaving.reset();
      Awaitility.await().until(() -> held() == bytes);
      second.send(RawClient.request("GET", "/second"));
      assertThat(second.receive().body()).hasSize((int) bytes);
      assertThat(first.receive().body()).hasSize((int) bytes);
      Awaitility.await().until(() -> held() == 0);
    }
  }

  private long held() {
    return memory.figures().held().getOrDefault(Purpose.PAGES, -1L);
  }

  /** A server that answers everything in one way. */
  private static final class Pages implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final HttpServer server;

    Pages(Handler<HttpServerRequest> handler) {
      server = await(vertx.createHttpServer().requestHandler(handler).listen(0, "127.0.0.1"));
    }

    RawClient client() throws IOException {
      return new RawClient(server.actualPort());
    }

    @Override
    public void close() {
      await(vertx.close());
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
