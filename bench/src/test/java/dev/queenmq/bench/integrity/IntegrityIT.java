package dev.queenmq.bench.integrity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.BenchPostgresExtension;
import dev.queenmq.bench.CapturedBench;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.JavaOptions;
import java.io.IOException;
import java.io.StringWriter;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Brokers with a small heap store payloads whole or refuse them. */
@ExtendWith(BenchPostgresExtension.class)
class IntegrityIT {
  private static final Path TARGET = Path.of("target").toAbsolutePath();

  IntegrityIT() {}

  @Test
  void oneRound_findsNothing(BenchPostgres postgres) {
    StringWriter out = new StringWriter();
    int code =
        CapturedBench.printingTo(out, out)
            .execute(
                "integrity",
                "--heap",
                "128",
                "--minutes",
                "0",
                "--largest",
                "20",
                "--stall-ms",
                "300",
                "--pg-bin",
                BenchPostgresExtension.bin(postgres),
                "--folder",
                TARGET.toString());
    assertThat(code).as(out.toString()).isZero();
    assertThat(out.toString()).contains("0 different, 0 lost, 0 unanswered, 0 wrong");
  }

  @Test
  void unfinishedBodies_leaveNeitherDamagedPayloads_norRequestsWithoutAnAnswer(
      BenchPostgres postgres) throws Exception {
    List<Socket> stalled = new ArrayList<>();
    try (BrokerProcess broker =
        BrokerProcess.start(
            BrokerProcess.builtJar(),
            Optional.of(TARGET),
            Map.of(
                JavaOptions.VARIABLE,
                "-Xmx128m",
                "QUEEN_PG_BIN",
                BenchPostgresExtension.bin(postgres)))) {
      for (int i = 0; i < 7; i++) {
        Socket socket = new Socket(broker.url().host(), broker.url().port());
        stalled.add(socket);
        sendUnfinished(socket, 14_000_000, 12_000_000);
      }
      Findings findings = new Findings();
      Client client = new Client(broker.url(), 1, 1);
      Upload large = upload("large", 14_000_000);
      byte[] body = large.body();
      Client.Answer answer = client.send(large, body);
      findings.sent(large, large.hash(body), answer);
      assertThat(answer.status()).as(answer.body()).isEqualTo(503);

      Upload small = upload("small", 1_000);
      Client.Answer stored = client.send(small, small.body());
      assertThat(stored.status()).as(stored.body()).isEqualTo(201);
      assertThat(stored.body()).contains("\"queued\"");
      assertThat(broker.process().isAlive()).isTrue();
    } finally {
      for (Socket socket : stalled) {
        socket.close();
      }
    }
  }

  private static Upload upload(String name, int bytes) {
    return new Upload(name, "integrity", bytes, 1, false, Upload.Manner.STEADY);
  }

  private static void sendUnfinished(Socket socket, int announced, int sent) throws Exception {
    socket
        .getOutputStream()
        .write(
            ("POST /api/v1/push HTTP/1.1\r\nHost: x\r\nContent-Length: " + announced + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    try {
      socket.getOutputStream().write(new byte[sent]);
    } catch (IOException refused) {
      // It has its answer: no memory.
    }
  }
}
