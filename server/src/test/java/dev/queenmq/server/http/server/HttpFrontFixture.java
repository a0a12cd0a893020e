package dev.queenmq.server.http.server;

import static dev.queenmq.server.http.server.RawClient.post;
import static dev.queenmq.server.testing.Await.await;
import static org.awaitility.Awaitility.await;

import dev.queenmq.server.auth.Access;
import dev.queenmq.server.config.HttpConfig;
import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.http.admin.HealthRoutes;
import dev.queenmq.server.http.messages.BrokerApi;
import dev.queenmq.server.http.messages.Codecs;
import dev.queenmq.server.http.messages.EmptyPop;
import dev.queenmq.server.http.messages.ObjectBounds;
import dev.queenmq.server.http.messages.PopDefaults;
import dev.queenmq.server.http.routing.BodyHandler;
import dev.queenmq.server.http.routing.QueueScope;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteTable;
import dev.queenmq.server.memory.MemoryBudget;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.model.StoredMessage;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The HTTP front, before a broker that does as it is told. */
public abstract class HttpFrontFixture {
  public static final HttpConfig ANY_PORT = new HttpConfig("127.0.0.1", 0);

  /** A busy machine is not idle: only the test of idle connections has a short limit. */
  public static final HttpLimits LIMITS =
      HttpLimits.defaults().withMaxBodyBytes(1000).withIdleTimeout(Duration.ofMinutes(2));

  public final Vertx vertx = Vertx.vertx();
  public final FakeBroker broker = new FakeBroker();
  MemoryBudget memory = BodyHandler.budget(64 << 20);
  HttpFront front;

  @BeforeEach
  public void start() {
    front = start(EmptyPop.NO_CONTENT, LIMITS);
  }

  @AfterEach
  public void stop() {
    await(vertx.close());
  }

  public HttpFront start(EmptyPop emptyPop, HttpLimits limits) {
    List<Route> routes = new ArrayList<>();
    routes.addAll(
        HealthRoutes.of(
            Future::succeededFuture, (health, fault) -> {}, () -> false, "1", JsonObject::new, 3));
    routes.addAll(
        new BrokerApi(
                broker,
                "b",
                Codecs.IDS,
                limits,
                new BodyHandler(limits.maxBodyBytes(), memory),
                Encryption.none(),
                PopDefaults.standard(),
                emptyPop,
                ObjectBounds.none(),
                InstantSource.system())
            .routes());
    routes.add(
        Route.read("/boom", Access.OPEN, QueueScope.ALL, (request, path) -> path.get("none")));
    return await(
        HttpFront.start(
            vertx,
            ANY_PORT,
            limits,
            InstantSource.system(),
            System::nanoTime,
            2,
            instance -> new RouteTable(routes)));
  }

  public static String push(String queue) {
    return post("/api/v1/push", "{\"items\":[{\"queue\":\"" + queue + "\"}]}");
  }

  public static Polled message() {
    return message("{}");
  }

  public static Polled message(String payload) {
    UUID id = new UUID(1, 2);
    return new Polled(
        "g",
        List.of(
            new PartitionBatch(
                "q",
                "p",
                id,
                Optional.of(new Lease(id, Instant.EPOCH)),
                0,
                List.of(new StoredMessage(1, id, "t", payload, null, null, false, Instant.EPOCH)))),
        Polled.EmptyReason.NONE);
  }

  public FakeBroker.FakePoll onlyPoll() {
    await().until(() -> broker.polls.size() == 1);
    return broker.polls.get(0);
  }
}
