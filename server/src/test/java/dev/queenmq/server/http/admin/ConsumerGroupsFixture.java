package dev.queenmq.server.http.admin;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A server for each test of the routes about consumer groups. */
@ExtendWith(PostgresExtension.class)
abstract class ConsumerGroupsFixture {
  static final String GROUPS = "/api/v1/consumer-groups";
  TestDatabase database;
  RunningServer server;

  @BeforeEach
  void start(TestDatabase fresh) {
    database = fresh;
    server = RunningServer.on(fresh.endpoint());
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  List<JsonObject> groups() {
    return objects(server.get(GROUPS));
  }

  JsonObject group(String name, String queue) {
    return groups().stream()
        .filter(each -> each.getString("name").equals(name))
        .filter(each -> each.getString("queueName").equals(queue))
        .findFirst()
        .orElseThrow();
  }

  static List<JsonObject> objects(Answer answer) {
    return answer.array().stream().map(JsonObject.class::cast).toList();
  }
}
