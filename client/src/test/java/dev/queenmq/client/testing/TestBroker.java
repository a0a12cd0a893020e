package dev.queenmq.client.testing;

import dev.queenmq.client.QueenClient;
import dev.queenmq.server.QueenServer;
import dev.queenmq.server.config.ServerConfig;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A whole broker in this JVM. */
public final class TestBroker implements AutoCloseable {
  private static final long LIMIT_SECONDS = 120;

  private final QueenServer server;
  private final int port;
  private final HttpClient http = HttpClient.newHttpClient();

  private TestBroker(QueenServer server) {
    this.server = server;
    this.port = await(server.start());
  }

  /** Starts one with these settings. */
  public static TestBroker start(Map<String, String> environment) {
    return new TestBroker(new QueenServer(ServerConfig.read(environment, List.of()), text -> {}));
  }

  /** Where it listens. */
  public int port() {
    return port;
  }

  /** Where it listens. */
  public String url() {
    return "http://127.0.0.1:" + port;
  }

  /** A client of it. */
  public QueenClient client() {
    return QueenClient.connect(url());
  }

  /** Sets options of a queue. */
  public void configure(String queue, String options) {
    post("/api/v1/configure", "{\"queue\":\"" + queue + "\",\"options\":" + options + "}");
  }

  /** Ends all leases on a queue, as an operator would. */
  public void endLeases(String queue) {
    String leases = get("/api/v1/leases?queue=" + queue);
    java.util.regex.Matcher ids =
        java.util.regex.Pattern.compile("\"leaseId\":\"([^\"]+)\"").matcher(leases);
    while (ids.find()) {
      send(HttpRequest.newBuilder(uri("/api/v1/lease/" + ids.group(1))).DELETE().build());
    }
  }

  /** What a path answers. */
  public String get(String path) {
    return send(HttpRequest.newBuilder(uri(path)).build());
  }

  private void post(String path, String body) {
    send(HttpRequest.newBuilder(uri(path)).POST(HttpRequest.BodyPublishers.ofString(body)).build());
  }

  private String send(HttpRequest request) {
    try {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() >= 300) {
        throw new IllegalStateException(answer.statusCode() + ": " + answer.body());
      }
      return answer.body();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private URI uri(String path) {
    return URI.create(url() + path);
  }

  @Override
  public void close() {
    await(server.stop());
  }

  private static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | InterruptedException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }
}
