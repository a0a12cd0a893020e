package dev.queenmq.server.admin;

import static dev.queenmq.server.testing.Await.await;
import static dev.queenmq.server.testing.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.broker.Directory.NamedPartition;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueueDirectoryIT {
  private FilledStore store;
  private QueueDirectory directory;

  QueueDirectoryIT() {}

  @BeforeAll
  void open(TestDatabase database) {
    store = new FilledStore(database);
    directory = new QueueDirectory(StoreClient.of(store.client()), (short) 0);
  }

  @BeforeEach
  void wipe() {
    store.wipe();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void labelled_areOrderedByPriorityAndName() {
    store.configure("b", "n", "t", priority(0));
    store.configure("a", "n", "t", priority(0));
    store.configure("low", "n", "t", priority(-1));
    store.configure("high", "n", "u", priority(5));
    store.configure("other", "m", "t", priority(9));

    assertThat(labelled("n", "t")).containsExactly("a", "b", "low");
    assertThat(labelled("n", null)).containsExactly("high", "a", "b", "low");
    assertThat(labelled(null, "t")).containsExactly("other", "a", "b", "low");
    assertThat(labelled("m", "u")).isEmpty();
  }

  @Test
  void names_areFoundById_andUnknownIdsLeftOut() {
    store.push("q", "p", "1");
    store.push("r", "s", "1");
    UUID p = id("p");
    UUID s = id("s");

    assertThat(await(directory.names(List.of(s, UUID.randomUUID(), p))))
        .containsExactlyInAnyOrder(
            new NamedPartition(p, "q", "p"), new NamedPartition(s, "r", "s"));
    assertThat(await(directory.names(List.of()))).isEmpty();
  }

  @Test
  void failure_tellsNoSql() {
    store.database().query("alter function queen.queues_labelled_v1 rename to away");
    Throwable met = failureOf(directory.labelled(Optional.empty(), Optional.empty()));
    store.database().query("alter function queen.away rename to queues_labelled_v1");

    assertThat(met)
        .isInstanceOfSatisfying(
            AdminException.class,
            failure -> {
              assertThat(failure.kind()).isEqualTo(AdminException.Kind.INTERNAL);
              assertThat(failure).hasMessage("The database refused the question");
            });
  }

  private List<String> labelled(@Nullable String namespace, @Nullable String task) {
    return await(directory.labelled(Optional.ofNullable(namespace), Optional.ofNullable(task)));
  }

  private UUID id(String partition) {
    return (UUID)
        store.database().value("select id from queen.partitions where name = '" + partition + "'");
  }

  private static JsonObject priority(int priority) {
    return new JsonObject().put("priority", priority);
  }
}
