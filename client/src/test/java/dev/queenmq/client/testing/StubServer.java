package dev.queenmq.client.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server in place of a broker. A test decides what it answers, and when. */
public final class StubServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Answers one request; each has a thread of its own, so that it may wait. */
  @FunctionalInterface
  public interface Script {
    Answer answer(String method, String path, String body) throws Exception;
  }

  /** An answer. */
  public record Answer(int status, String body) {}

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Script script;
  private final HttpServer server;

  public StubServer(Script script) throws IOException {
    this.script = script;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      Answer answer =
          script.answer(
              exchange.getRequestMethod(),
              exchange.getRequestURI().getPath(),
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (IOException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /** The payloads of a push request, as text. */
  public static List<String> payloads(String push) throws IOException {
    List<String> payloads = new ArrayList<>();
    for (JsonNode item : JSON.readTree(push).path("items")) {
      payloads.add(item.path("payload").asText());
    }
    return payloads;
  }

  /** The answer to a push of which all is stored. */
  public static Answer queued(String push) throws IOException {
    ArrayNode results = JSON.createArrayNode();
    payloads(push).forEach(payload -> results.addObject().put("status", "queued"));
    return new Answer(201, results.toString());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
