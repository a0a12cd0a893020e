package dev.queenmq.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Runs the usual commands once, against answers that stand here, so that the JVM learns which
 * classes they load. {@code ./queen} has it make an archive of these, with which commands start in
 * half the time. It needs no broker and changes nothing.
 */
public final class Rehearsal {
  private static final String ID = "\"4f2857c7-2d05-4c65-99b1-065df2b0ac68\"";
  private static final Map<String, String> ANSWERS =
      Map.of(
          "/api/v1/status/queues",
          """
          {"queues":[{"id":"ID","name":"q","namespace":"","task":"","partitions":1,
           "createdAt":"2026-11-15T13:10:08.409Z",
           "messages":{"total":1,"pending":1,"processing":0}}],
           "pagination":{"limit":1000,"offset":0}}\
          """,
          "/api/v1/push",
          """
          [{"index":0,"status":"queued","transaction_id":"t","message_id":"ID"}]\
          """,
          "/api/v1/pop/queue/q",
          """
          {"success":true,"messages":[{"id":"ID","transactionId":"t","data":{"n":1},
           "createdAt":"2026-11-15T13:10:08.409609Z","queue":"q","partitionId":"ID",
           "partition":"p","leaseId":"ID","consumerGroup":"g","attempt":1,
           "leaseExpiresAt":null}]}\
          """,
          "/api/v1/consumer-groups",
          """
          [{"name":"g","queueName":"q","members":1,"state":"Stable"}]\
          """,
          "/api/v1/dlq",
          """
          {"messages":[],"pagination":{"limit":20,"offset":0},"total":0}\
          """,
          "/api/v1/leases",
          """
          {"leases":[],"pagination":{"limit":100,"offset":0}}\
          """);

  private Rehearsal() {}

  /** Runs the commands and ends. */
  public static void main(String[] arguments) throws IOException {
    System.setProperty("slf4j.internal.verbosity", "ERROR");
    try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread answers = new Thread(() -> serve(server));
      answers.setDaemon(true);
      answers.start();
      String url = "http://127.0.0.1:" + server.getLocalPort();
      Terminal terminal =
          new Terminal(
              InputStream.nullInputStream(),
              new PrintWriter(System.out, true, StandardCharsets.UTF_8),
              new PrintWriter(System.err, true, StandardCharsets.UTF_8),
              false,
              0,
              Map.of("QUEEN_URL", url),
              Path.of("/nonexistent"));
      for (List<String> command :
          List.of(
              List.of("--version"),
              List.of("queues"),
              List.of("queues", "-o", "json"),
              List.of("push", "q", "{\"n\":1}", "-t", "t"),
              List.of("pop", "q"),
              List.of("groups"),
              List.of("leases"),
              List.of("dlq", "q"))) {
        Cli.run(terminal, command);
      }
    }
  }

  private static void serve(ServerSocket server) {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread connection = new Thread(() -> answer(socket));
        connection.setDaemon(true);
        connection.start();
      } catch (IOException e) {
        return;
      }
    }
  }

  private static void answer(Socket socket) {
    try (socket;
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        OutputStream out = socket.getOutputStream()) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String path = line.split("[ ?]", 3)[1];
        int body = 0;
        for (String header = in.readLine();
            header != null && !header.isEmpty();
            header = in.readLine()) {
          if (header.regionMatches(true, 0, "content-length:", 0, 15)) {
            body = Integer.parseInt(header.substring(15).strip());
          }
        }
        for (int i = 0; i < body; i++) {
          in.read();
        }
        String json = ANSWERS.getOrDefault(path, "{}").replace("\"ID\"", ID);
        OutputStreamWriter writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
        writer.write(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                + json.length()
                + "\r\n\r\n"
                + json);
        writer.flush();
      }
    } catch (IOException | RuntimeException e) {
      // The client has closed the connection: the rehearsal is over.
      return;
    }
  }
}
