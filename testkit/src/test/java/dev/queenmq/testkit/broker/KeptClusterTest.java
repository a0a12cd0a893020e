package dev.queenmq.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files a process gets from the one before. */
class KeptClusterTest {
  @TempDir private Path temporary;
  private Path machine;
  private Path place;
  private KeptCluster kept;

  @BeforeEach
  void start() throws IOException {
    machine = Files.writeString(temporary.resolve("boot_id"), "first");
    place = temporary.resolve("clusters/new");
    kept = new KeptCluster(place, machine);
  }

  @Test
  void files_haveOneUserAtATime() throws IOException {
    kept.putBack(cluster("one"), aside("one"));

    assertThat(kept.takeTo(temporary.resolve("two/postgres"))).isTrue();
    assertThat(temporary.resolve("two/postgres/table")).hasContent("one");
    assertThat(kept.takeTo(temporary.resolve("three/postgres"))).isFalse();

    kept.putBack(cluster("three"), aside("three"));
    kept.putBack(temporary.resolve("two/postgres"), aside("two"));
    assertThat(place.resolve("table")).hasContent("three");
  }

  @Test
  void files_areNotUsed_afterTheMachineRestarted() throws IOException {
    kept.putBack(cluster("one"), aside("one"));
    Files.writeString(machine, "second");

    assertThat(kept.takeTo(temporary.resolve("two/postgres"))).isFalse();
    kept.putBack(cluster("two"), aside("two"));
    assertThat(place.resolve("table")).hasContent("two");
  }

  @Test
  void filesOfAServerThatWasKilled_areNotKept() throws IOException {
    Path cluster = cluster("one");
    Files.createFile(cluster.resolve("postmaster.pid"));

    kept.putBack(cluster, aside("one"));

    assertThat(place).doesNotExist();
  }

  @Test
  void nothingIsKept_whereMachinesDoNotNameTheirRuns() throws IOException {
    Files.delete(machine);

    kept.putBack(cluster("one"), aside("one"));

    assertThat(place).doesNotExist();
    assertThat(kept.takeTo(temporary.resolve("two/postgres"))).isFalse();
  }

  private Path cluster(String name) throws IOException {
    Path cluster = Files.createDirectories(temporary.resolve(name).resolve("postgres"));
    Files.writeString(cluster.resolve("table"), name);
    return cluster;
  }

  private Path aside(String name) throws IOException {
    return Files.createDirectories(temporary.resolve(name));
  }
}
