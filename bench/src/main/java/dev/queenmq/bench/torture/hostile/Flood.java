package dev.queenmq.bench.torture.hostile;

import dev.queenmq.bench.broker.BrokerUrl;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * What the clients of one flood ask for. Each flood has names of its own, so that one can count
 * afterwards what it has left behind.
 */
public abstract class Flood {
  private final String prefix;

  /** A flood of names with this prefix. */
  Flood(String prefix) {
    this.prefix = prefix;
  }

  /** How all names begin that this flood invents. */
  public final String prefix() {
    return prefix;
  }

  final String name(int client, long number) {
    return prefix + client + "-" + number;
  }

  /** The next request of a client, as it is sent. */
  abstract String request(int client, long number);

  /** Whether a broker may give this answer. */
  public boolean mayBe(int status) {
    return status < 500 || status == 503;
  }

  /** Pushes to queues that do not exist, and polls of others that do not exist either. */
  public static Flood queues(String prefix, String token) {
    return new Flood(prefix) {
      @Override
      String request(int client, long number) {
        String name = name(client, number);
        return number % 2 == 0
            ? push(name, token)
            : get("/api/v1/pop/queue/" + name + "?consumerGroup=flood", token);
      }
    };
  }

  /** Polls of one queue, each by a consumer group that does not exist. */
  public static Flood groups(String prefix, String queue, String token) {
    return new Flood(prefix) {
      @Override
      String request(int client, long number) {
        return get(
            "/api/v1/pop/queue/%s?consumerGroup=%s"
                .formatted(BrokerUrl.encode(queue), name(client, number)),
            token);
      }
    };
  }

  /** Requests with tokens that are not good, each with another one. */
  public static Flood tokens(String prefix, Tokens tokens, long seed) {
    return new Flood(prefix) {
      private final RandomGenerator random = new Random(seed);

      @Override
      String request(int client, long number) {
        String token = tokens.bad(random);
        return switch ((int) (number % 3)) {
          case 0 -> push(prefix(), token);
          case 1 -> get("/api/v1/pop/queue/" + prefix(), token);
          default -> get("/api/v1/status", token);
        };
      }

      @Override
      public boolean mayBe(int status) {
        return status == 401 || status == 429 || status == 503;
      }
    };
  }

  public static String push(String queue, String token) {
    String body = "{\"items\":[{\"queue\":\"%s\",\"payload\":1}]}".formatted(queue);
    return head("POST", "/api/v1/push", token)
        + "Content-Type: application/json\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  private static String get(String path, String token) {
    return head("GET", path, token) + "\r\n";
  }

  /** Up to the last header. */
  static String head(String method, String path, String token) {
    return method
        + " "
        + path
        + " HTTP/1.1\r\nHost: localhost\r\n"
        + (token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n");
  }
}
