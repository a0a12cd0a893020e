package dev.queenmq.embedded;

import dev.queenmq.embedded.process.LaunchPlan;
import dev.queenmq.embedded.process.LoopbackPort;
import dev.queenmq.embedded.process.ProcessIdentity;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings a server up on an existing cluster, trying again when the obstacle is a passing one. */
final class ServerStart {

  /** A server that takes connections. */
  record Running(Postmaster postmaster, ProcessIdentity process, int port) {}

  private static final Logger LOG = LoggerFactory.getLogger(ServerStart.class);
  private static final long ROTATE_LOG_AT = 16 * 1024 * 1024;
  private static final int MOST_PORTS = 10;
  private static final long PAUSE_MILLIS = 200;
  private static final Duration FAILED_START_LIMIT = Duration.ofSeconds(5);

  private final DataFolder folder;
  private final PostgresInstallation installation;
  private final LaunchPlan plan;
  private final EmbeddedPostgresConfig config;
  private final LoopbackPort ports;

  ServerStart(
      DataFolder folder,
      PostgresInstallation installation,
      LaunchPlan plan,
      EmbeddedPostgresConfig config,
      LoopbackPort ports) {
    this.folder = folder;
    this.installation = installation;
    this.plan = plan;
    this.config = config;
    this.ports = ports;
  }

  Running run() throws IOException, InterruptedException, EmbeddedPostgresException {
    long deadline = System.nanoTime() + config.startTimeout().toNanos();
    int port = ports.choose();
    int portsTried = 1;
    while (true) {
      PostgresLog log = PostgresLog.begin(folder.log(), ROTATE_LOG_AT);
      try {
        return attempt(port, log);
      } catch (EmbeddedPostgresException e) {
        String said = log.tail();
        if (said.contains("could not bind") && portsTried < MOST_PORTS) {
          LOG.info("Port {} was taken before PostgreSQL could have it; trying another", port);
          port = LoopbackPort.anyFree();
          portsTried++;
        } else if (said.contains("pre-existing shared memory block")
            && System.nanoTime() < deadline) {
          LOG.info("Waiting for the last processes of a killed PostgreSQL to end");
          TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } else {
          throw e;
        }
      }
    }
  }

  private Running attempt(int port, PostgresLog log)
      throws IOException, InterruptedException, EmbeddedPostgresException {
    Postmaster postmaster =
        Postmaster.launch(
            plan.command("INT", serverCommand(port)), folder.postmasterPidFile(), log);
    boolean ready = false;
    try {
      ProcessIdentity process = postmaster.awaitReady(config.startTimeout());
      ports.remember(port);
      ready = true;
      return new Running(postmaster, process, port);
    } finally {
      if (!ready) {
        postmaster.stop(FAILED_START_LIMIT);
      }
    }
  }

  /** Where it listens is said on the command line, which wins over every file and ALTER SYSTEM. */
  private List<String> serverCommand(int port) {
    List<String> words =
        new ArrayList<>(
            List.of(installation.postgres().toString(), "-D", folder.cluster().toString()));
    for (String setting :
        List.of(
            "listen_addresses=" + LoopbackPort.HOST,
            "port=" + port,
            "unix_socket_directories=",
            "logging_collector=off",
            "log_destination=stderr")) {
      words.add("-c");
      words.add(setting);
    }
    return words;
  }
}
