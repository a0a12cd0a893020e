package dev.queenmq.cli.command;

import dev.queenmq.cli.Moments;
import dev.queenmq.cli.Session;
import dev.queenmq.cli.Table;
import dev.queenmq.client.admin.query.TimeRange;
import dev.queenmq.client.admin.status.Status;
import dev.queenmq.client.admin.status.WorkerHistory;
import dev.queenmq.client.admin.system.SharedState;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(
    name = "brokers",
    description =
        "Lists the event loops of all brokers, and the peers that this broker gets packets from.")
public final class BrokersCommand extends QueenCommand {

  public BrokersCommand(Session session) {
    super(session);
  }

  @Override
  protected int run() {
    WorkerHistory workers = admin().status().workers(TimeRange.usual(), null, null);
    SharedState state = admin().system().sharedState();
    Table table =
        new Table("HOST", "WORKER", "MESSAGES", "LATE (MS)", "CONNECTIONS", "FREE", "LAST SEEN");
    for (Status.Worker worker : workers.workers()) {
      table.row(
          worker.hostname(),
          worker.workerId(),
          worker.messagesProcessed(),
          worker.avgEventLoopLagMs(),
          worker.dbConnections(),
          worker.freeSlots(),
          Moments.age(worker.lastSeen()));
    }
    session.show(
        Map.of("workers", workers.workers(), "sharedState", state), table, "no figures yet");
    SharedState.Transport transport = state.transport();
    if (!session.json() && transport != null) {
      Table peers = new Table("PEER", "ADDRESS", "SILENT", "PACKETS");
      transport
          .heard()
          .forEach(
              (name, peer) ->
                  peers.row(
                      name,
                      peer.address(),
                      Moments.length(Duration.ofMillis(peer.silentMs())),
                      peer.messages()));
      session.out().println();
      session.show(state, peers, "no packets from peers");
    }
    return done();
  }
}
