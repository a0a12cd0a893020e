package dev.queenmq.server.spool;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DatabaseWatchTest {
  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger asked = new AtomicInteger();
  private volatile Future<Void> answer = Future.succeededFuture();
  private final DatabaseWatch watch =
      new DatabaseWatch(
          vertx,
          () -> {
            asked.incrementAndGet();
            return answer;
          },
          System::nanoTime);

  @AfterEach
  void stop() {
    watch.stop();
    await(vertx.close());
  }

  @Test
  void noProbe_withoutDoubt_andOneAnswerEndsIt() {
    assertThat(watch.isAway()).isFalse();
    assertThat(asked).hasValue(0);

    watch.doubt();
    assertThat(asked).hasValue(1);
    assertThat(watch.isAway()).isFalse();
  }

  @Test
  void oneQuestionIsEnough_forAllWhoDoubt() {
    Promise<Void> open = Promise.promise();
    answer = open.future();
    watch.doubt();
    watch.doubt();
    assertThat(asked).hasValue(1);
    assertThat(watch.isAway()).isFalse();
    open.complete();
    watch.doubt();
    assertThat(asked).hasValue(2);
  }

  @Test
  void silence_isAbsence_untilItAnswers() {
    AtomicInteger returns = new AtomicInteger();
    watch.onReturn(returns::incrementAndGet);
    answer = Future.failedFuture("gone");
    watch.doubt();
    assertThat(watch.isAway()).isTrue();
    Awaitility.await().until(() -> asked.get() > 1);
    assertThat(watch.isAway()).isTrue();

    answer = Future.succeededFuture();
    Awaitility.await().until(() -> !watch.isAway());
    Awaitility.await().until(() -> returns.get() == 1);
  }
}
