package dev.queenmq.spring.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.client.Message;
import dev.queenmq.client.PopOptions;
import dev.queenmq.client.QueenClient;
import dev.queenmq.spring.QueenListener;
import dev.queenmq.spring.QueenTemplate;
import dev.queenmq.spring.boot4.QueenHealthIndicator;
import dev.queenmq.spring.listener.QueenListenerRegistry;
import dev.queenmq.testkit.EmbeddedQueen;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** What happens when the application ends, and when the broker is away. */
class LifecycleIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class App {

    @Bean
    SlowListener slowListener(QueenTemplate queen) {
      return new SlowListener(queen);
    }
  }

  static final class SlowListener {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch mayEnd = new CountDownLatch(1);
    private final QueenTemplate queen;

    SlowListener(QueenTemplate queen) {
      this.queen = queen;
    }

    @QueenListener(queue = "slow", id = "slow")
    void handle(int number) throws InterruptedException {
      begun.countDown();
      if (!mayEnd.await(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the test did not let it end");
      }
      queen.send("done", number);
    }
  }

  @Test
  void close_letsTheHandlerFinish_andGivesBackTheRest() {
    try (EmbeddedQueen broker = EmbeddedQueen.start();
        QueenClient client = QueenClient.connect(broker.url())) {
      client.queue("slow").partition("one").pushAll(List.of(1, 2, 3));
      ConfigurableApplicationContext context = start(broker.url());
      SlowListener listener = context.getBean(SlowListener.class);
      QueenListenerRegistry registry = context.getBean(QueenListenerRegistry.class);
      assertThat(registry.ids()).containsExactly("slow");
      until(() -> listener.begun.getCount() == 0);

      CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close);
      until(() -> !registry.isRunning());
      assertThat(closed).isNotDone();
      listener.mayEnd.countDown();
      closed.join();

      // The handler of the first message used other beans while the context closed, and was acked.
      assertThat(numbers(client, "done")).containsExactly(1);
      assertThat(numbers(client, "slow")).containsExactly(2, 3);
    }
  }

  @Test
  void health_isDown_whenNoBrokerAnswers() throws IOException {
    ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    try (ConfigurableApplicationContext context =
        start("http://127.0.0.1:" + silent.getLocalPort(), "queen.health.timeout=200ms")) {
      QueenHealthIndicator indicator = context.getBean(QueenHealthIndicator.class);
      Health health = indicator.health();
      assertThat(health.getStatus()).isEqualTo(Status.DOWN);
      assertThat(health.getDetails().get("error")).asString().contains("within PT0.2S");

      silent.close();
      assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
    } finally {
      silent.close();
    }
  }

  private static ConfigurableApplicationContext start(String url, String... properties) {
    return new SpringApplicationBuilder(App.class)
        .web(WebApplicationType.NONE)
        .properties("queen.urls=" + url, "queen.retry.give-up-after=0s")
        .properties(properties)
        .run();
  }

  private static List<Integer> numbers(QueenClient client, String queue) {
    List<Message<Integer>> messages =
        client
            .queue(queue)
            .pop(Integer.class, PopOptions.batch(10).waitUpTo(Duration.ofSeconds(20)));
    client.ack(messages);
    return messages.stream().map(Message::payload).toList();
  }

  private static void until(Callable<Boolean> condition) {
    Awaitility.await().atMost(PATIENCE).until(condition);
  }
}
