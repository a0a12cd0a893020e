package dev.queenmq.client.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.queenmq.client.QueenClient;
import dev.queenmq.client.QueenException;
import dev.queenmq.client.admin.groups.SeekTarget;
import dev.queenmq.client.admin.messages.DeadLetterFilter;
import dev.queenmq.client.admin.messages.MessageFilter;
import dev.queenmq.client.admin.messages.Settlement;
import dev.queenmq.client.admin.messages.TraceDraft;
import dev.queenmq.client.admin.query.Paging;
import dev.queenmq.client.admin.query.TimeRange;
import dev.queenmq.client.admin.queues.QueueFilter;
import dev.queenmq.client.admin.queues.QueueOptions;
import dev.queenmq.client.admin.status.PushHistory;
import dev.queenmq.client.admin.streams.StreamCycle;
import dev.queenmq.client.admin.streams.StreamQuery;
import dev.queenmq.client.admin.streams.StreamStateFilter;
import dev.queenmq.client.testing.BrokerExtension;
import dev.queenmq.client.testing.TestBroker;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Holds the operations of operators against the routes that a broker has. */
@ExtendWith(BrokerExtension.class)
class AdminRoutesIT {

  /** What the dashboard asks: views of what the other routes answer, cut to its pages. */
  private static final String DASHBOARD = "GET /api/v1/dashboard/";

  /** Routes that no operation of operators uses, and why. */
  private static final Map<String, String> LEFT_OUT =
      Map.ofEntries(
          Map.entry("POST /api/v1/push", "QueueRef.push"),
          Map.entry("GET /api/v1/pop", "QueueRef.pop"),
          Map.entry("GET /api/v1/pop/queue/{queue}", "QueueRef.pop"),
          Map.entry("GET /api/v1/pop/queue/{queue}/partition/{partition}", "QueueRef.pop"),
          Map.entry("DELETE /api/v1/pop/queue/{queue}/poll/{pollId}", "QueenConsumer.stop"),
          Map.entry("POST /api/v1/ack/batch", "QueenClient.ack"),
          Map.entry("POST /api/v1/transaction", "QueenClient.transaction"),
          Map.entry("GET /internal/api/shared-state/stats", "older name of system/shared-state"),
          Map.entry("GET /internal/api/inter-instance/stats", "older name of it"));

  private final QueenClient client;
  private final Set<String> asked = new ConcurrentSkipListSet<>();

  AdminRoutesIT(TestBroker broker) {
    client =
        QueenClient.builder()
            .url(broker.url())
            .interceptor(request -> asked.add(request.method() + " " + request.uri().getPath()))
            .build();
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  @Test
  void everyRoute_hasAnOperation_orAReason() throws Exception {
    Set<String> missing = new TreeSet<>();
    Set<String> routes = routes(client.admin().system().openApi());
    asked.clear();
    for (Object subject : subjects(client.admin())) {
      for (Method method : operations(subject.getClass())) {
        if (method.getName().endsWith("Async")) {
          call(subject, method);
        }
      }
    }
    for (String route : routes) {
      if (!route.startsWith(DASHBOARD) && asked.stream().noneMatch(path -> fits(route, path))) {
        missing.add(route);
      }
    }
    assertThat(missing).isEqualTo(LEFT_OUT.keySet());
    assertThat(asked).allMatch(path -> routes.stream().anyMatch(route -> fits(route, path)));
  }

  /** What they answer is no matter here: most of what they name is not there. */
  private static void call(Object subject, Method method) throws Exception {
    Object[] arguments =
        Arrays.stream(method.getParameterTypes()).map(AdminRoutesIT::argument).toArray();
    try {
      ((CompletableFuture<?>) method.invoke(subject, arguments)).get(1, TimeUnit.MINUTES);
    } catch (ExecutionException e) {
      assertThat(e.getCause()).isInstanceOf(QueenException.class);
    }
  }

  private static Object argument(Class<?> type) {
    Map<Class<?>, Object> values =
        Map.ofEntries(
            Map.entry(String.class, "admin-routes"),
            Map.entry(UUID.class, new UUID(0, 0)),
            Map.entry(Paging.class, Paging.first()),
            Map.entry(boolean.class, false),
            Map.entry(int.class, 1),
            Map.entry(Integer.class, 1),
            Map.entry(Duration.class, Duration.ofSeconds(1)),
            Map.entry(Instant.class, Instant.EPOCH),
            Map.entry(TimeRange.class, TimeRange.usual()),
            Map.entry(QueueFilter.class, QueueFilter.any()),
            Map.entry(QueueOptions.class, QueueOptions.none()),
            Map.entry(SeekTarget.class, SeekTarget.end()),
            Map.entry(MessageFilter.class, MessageFilter.any()),
            Map.entry(DeadLetterFilter.class, DeadLetterFilter.queue("admin-routes")),
            Map.entry(PushHistory.Interval.class, PushHistory.Interval.HOUR),
            Map.entry(Settlement.class, Settlement.COMPLETED),
            Map.entry(TraceDraft.class, TraceDraft.of(new UUID(0, 0), "none", "x")),
            Map.entry(StreamQuery.class, StreamQuery.of("none", "none", "v1")),
            Map.entry(
                StreamCycle.class,
                new StreamCycle(
                    new UUID(0, 0), new UUID(0, 0), null, List.of(), List.of(), null, null, null)),
            Map.entry(
                StreamStateFilter.class, StreamStateFilter.all(new UUID(0, 0), new UUID(0, 0))));
    return Objects.requireNonNull(values.get(type), type::toString);
  }

  private static Set<String> routes(JsonNode description) {
    Set<String> routes = new TreeSet<>();
    description
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        method ->
                            routes.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));
    return routes;
  }

  /** A path with a name fits a route with that name rather than one with a parameter. */
  private static boolean fits(String route, String path) {
    String[] wanted = route.split("/", -1);
    String[] given = path.split("/", -1);
    if (wanted.length != given.length) {
      return false;
    }
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i].startsWith("{") ? isWord(given[i]) : !wanted[i].equals(given[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean isWord(String part) {
    return part.equals("lagging") || part.equals("by-name");
  }

  private static List<Object> subjects(QueenAdmin admin) throws Exception {
    List<Object> subjects = new ArrayList<>();
    for (Method method : operations(QueenAdmin.class)) {
      subjects.add(method.invoke(admin));
    }
    assertThat(subjects).hasSizeGreaterThan(5);
    return subjects;
  }

  private static List<Method> operations(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
        .toList();
  }

  /** Both forms of each operation take the same and answer the same. */
  @Test
  void everyOperation_hasTwoForms() throws Exception {
    for (Object subject : subjects(client.admin())) {
      for (Method method : operations(subject.getClass())) {
        String name = method.getName();
        if (name.endsWith("Async")) {
          assertThat(method.getReturnType()).isEqualTo(CompletableFuture.class);
          subject
              .getClass()
              .getMethod(name.substring(0, name.length() - 5), method.getParameterTypes());
        } else {
          subject.getClass().getMethod(name + "Async", method.getParameterTypes());
        }
      }
    }
  }
}
