package dev.queenmq.server.auth;

import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * Every guarded route, about a queue: in its path, its query, its body, or by a partition of it.
 */
public final class LimitedCases {
  private final List<Case> cases = new ArrayList<>();

  private LimitedCases() {}

  /**
   * A route and how it is asked; in texts, QUEUE, PARTITION and LEASE stand for those of the queue.
   *
   * @param refusedAlways whether it is about all queues
   */
  public record Case(String route, String target, String body, boolean refusedAlways) {

    public Answer ask(AuthClient client, String queue, JsonObject popped) {
      String method = route.substring(0, route.indexOf(' '));
      return client.ask(method, filled(target, queue, popped), filled(body, queue, popped));
    }

    private static String filled(String text, String queue, JsonObject popped) {
      return text.replace("QUEUE", queue)
          .replace("PARTITION", popped.getString("partitionId"))
          .replace("LEASE", popped.getString("leaseId"));
    }
  }

  public static List<Case> all() {
    LimitedCases all = new LimitedCases();
    all.clients();
    all.operators();
    all.aboutAll();
    return all.cases;
  }

  private void clients() {
    String ack =
        "{\"transactionId\":\"nothing\",\"partitionId\":\"PARTITION\",\"leaseId\":\"LEASE\"}";
    add(
        "POST /api/v1/push",
        "/api/v1/push",
        "{\"items\":[{\"queue\":\"QUEUE\",\"transactionId\":\"t\"}]}");
    add("GET /api/v1/pop/queue/{queue}", "/api/v1/pop/queue/QUEUE", "");
    add(
        "GET /api/v1/pop/queue/{queue}/partition/{partition}",
        "/api/v1/pop/queue/QUEUE/partition/p",
        "");
    add(
        "DELETE /api/v1/pop/queue/{queue}/poll/{pollId}",
        "/api/v1/pop/queue/QUEUE/poll/6a0e8ba2-0000-4000-8000-000000000000",
        "");
    add("POST /api/v1/ack", "/api/v1/ack", ack);
    add("POST /api/v1/ack/batch", "/api/v1/ack/batch", "{\"acknowledgments\":[" + ack + "]}");
    add("POST /api/v1/lease/{leaseId}/extend", "/api/v1/lease/LEASE/extend", "{\"seconds\":60}");
    add(
        "POST /api/v1/transaction",
        "/api/v1/transaction",
        "{\"operations\":[{\"type\":\"push\",\"queue\":\"QUEUE\",\"transactionId\":\"n\"}]}");
    add(
        "POST /api/v1/transaction",
        "/api/v1/transaction",
        "{\"operations\":[" + ack.replace("{", "{\"type\":\"ack\",") + "]}");
    add(
        "POST /api/v1/traces",
        "/api/v1/traces",
        "{\"partitionId\":\"PARTITION\",\"transactionId\":\"t\",\"data\":{}}");
    add(
        "POST /streams/v1/queries",
        "/streams/v1/queries",
        "{\"name\":\"lim\",\"source_queue\":\"QUEUE\",\"config_hash\":\"h\"}");
    add(
        "POST /streams/v1/queries",
        "/streams/v1/queries",
        "{\"name\":\"lim\",\"source_queue\":\"mine\",\"sink_queue\":\"QUEUE\",\"config_hash\":\"h\"}");
    String cycle =
        "{\"query_id\":\"6a0e8ba2-0000-4000-8000-000000000000\",\"partition_id\":\"PARTITION\"}";
    add("POST /streams/v1/cycle", "/streams/v1/cycle", cycle);
    add(
        "POST /streams/v1/cycle",
        "/streams/v1/cycle",
        cycle.replace("}", ",\"push_items\":[{\"queue\":\"QUEUE\"}]}"));
    add("POST /streams/v1/state/get", "/streams/v1/state/get", cycle);
  }

  private void operators() {
    String message = "/api/v1/messages/{partitionId}/{transactionId}";
    String group = "/api/v1/consumer-groups/{group}/queues/{queue}";
    add("POST /api/v1/configure", "/api/v1/configure", "{\"queue\":\"QUEUE\"}");
    add("GET /api/v1/messages", "/api/v1/messages?queue=QUEUE", "");
    add("GET /api/v1/dlq", "/api/v1/dlq?queue=QUEUE", "");
    add("DELETE /api/v1/dlq", "/api/v1/dlq?queue=QUEUE", "");
    add("POST /api/v1/dlq/redrive", "/api/v1/dlq/redrive", "{\"queue\":\"QUEUE\"}");
    add("GET " + message, "/api/v1/messages/PARTITION/t", "");
    add("POST " + message + "/retry", "/api/v1/messages/PARTITION/t/retry", "{}");
    add("POST " + message + "/dlq", "/api/v1/messages/PARTITION/nothing/dlq", "{}");
    add("DELETE " + message, "/api/v1/messages/PARTITION/nothing", "");
    add("GET /api/v1/traces/{partitionId}/{transactionId}", "/api/v1/traces/PARTITION/t", "");
    add("GET /api/v1/traces/by-name/{traceName}", "/api/v1/traces/by-name/n?queue=QUEUE", "");
    add("GET /api/v1/resources/partitions", "/api/v1/resources/partitions?queue=QUEUE", "");
    add("GET /api/v1/resources/queues/{queue}", "/api/v1/resources/queues/QUEUE", "");
    add("GET /api/v1/status/queues/{queue}", "/api/v1/status/queues/QUEUE", "");
    add("GET /api/v1/status/queues/{queue}/messages", "/api/v1/status/queues/QUEUE/messages", "");
    add("GET /api/v1/status/analytics", "/api/v1/status/analytics?queue=QUEUE", "");
    add(
        "POST " + group + "/seek",
        "/api/v1/consumer-groups/g/queues/QUEUE/seek",
        "{\"toEnd\":true}");
    add(
        "POST " + group + "/partitions/{partition}/seek",
        "/api/v1/consumer-groups/g/queues/QUEUE/partitions/p/seek",
        "{}");
    add("DELETE " + group, "/api/v1/consumer-groups/g/queues/QUEUE", "");
    add("GET /api/v1/leases", "/api/v1/leases?queue=QUEUE", "");
    add("DELETE /api/v1/lease/{leaseId}", "/api/v1/lease/LEASE", "");
    add("POST " + group + "/pause", "/api/v1/consumer-groups/g/queues/QUEUE/pause", "");
    add("POST " + group + "/resume", "/api/v1/consumer-groups/g/queues/QUEUE/resume", "");
    String queue = "/api/v1/resources/queues/{queue}";
    add("POST " + queue + "/pause", "/api/v1/resources/queues/QUEUE/pause", "");
    add("POST " + queue + "/resume", "/api/v1/resources/queues/QUEUE/resume", "");
    add("POST /internal/api/notify", "/internal/api/notify", "{\"queue\":\"QUEUE\"}");
    add(
        "DELETE /api/v1/queues/{queue}/partitions/{partition}",
        "/api/v1/queues/QUEUE/partitions/nothing",
        "");
    add("DELETE /api/v1/queues/{queue}/clear", "/api/v1/queues/QUEUE/clear?partition=nothing", "");
    add("DELETE /api/v1/resources/queues/{queue}", "/api/v1/resources/queues/QUEUE", "");
    String dashboard = "/api/v1/dashboard/";
    for (String page : List.of("history", "groups", "lagging", "errors")) {
      add("GET " + dashboard + page, dashboard + page + "?queue=QUEUE", "");
      refused("GET " + dashboard + page, dashboard + page);
    }
    for (String page : List.of("", "/lanes", "/dead-letters")) {
      add("GET " + dashboard + "queues/{queue}" + page, dashboard + "queues/QUEUE" + page, "");
    }
  }

  private void aboutAll() {
    for (String path :
        List.of(
            "/api/v1/resources/queues",
            "/api/v1/resources/namespaces",
            "/api/v1/resources/tasks",
            "/api/v1/resources/overview",
            "/api/v1/resources/partitions",
            "/api/v1/messages",
            "/api/v1/messages?ns=mine",
            "/api/v1/dlq",
            "/api/v1/dlq?queue=",
            "/api/v1/leases",
            "/api/v1/consumer-groups",
            "/api/v1/consumer-groups/lagging",
            "/api/v1/traces/names",
            "/api/v1/status",
            "/api/v1/status/queues",
            "/api/v1/status/analytics",
            "/api/v1/dashboard/overview",
            "/api/v1/dashboard/system",
            "/api/v1/dashboard/queues",
            "/api/v1/dashboard/streams",
            "/api/v1/system/upkeep",
            "/api/v1/system/shared-state",
            "/api/v1/system/encryption",
            "/api/v1/system/maintenance",
            "/api/v1/system/maintenance/pop",
            "/internal/api/shared-state/stats",
            "/internal/api/inter-instance/stats")) {
      refused("GET " + path.replaceAll("\\?.*", ""), path);
    }
    refused("GET /api/v1/consumer-groups/{group}", "/api/v1/consumer-groups/g");
    refused("GET /api/v1/traces/by-name/{traceName}", "/api/v1/traces/by-name/n");
    refused("GET /api/v1/dashboard/streams/{queryId}/lanes", "/api/v1/dashboard/streams/x/lanes");
    refused("DELETE /api/v1/consumer-groups/{group}", "/api/v1/consumer-groups/g");
    refused("DELETE /api/v1/dlq", "/api/v1/dlq");
    refused(
        "POST /api/v1/consumer-groups/{group}/subscription",
        "/api/v1/consumer-groups/g/subscription");
    refused("POST /api/v1/stats/refresh", "/api/v1/stats/refresh");
    refused("POST /api/v1/system/upkeep/{job}/run", "/api/v1/system/upkeep/retention/run");
    refused("POST /api/v1/system/maintenance", "/api/v1/system/maintenance");
    refused("POST /api/v1/system/maintenance/pop", "/api/v1/system/maintenance/pop");
  }

  private void add(String route, String target, String body) {
    cases.add(new Case(route, target, body, false));
  }

  private void refused(String route, String target) {
    cases.add(new Case(route, target, "", true));
  }
}
