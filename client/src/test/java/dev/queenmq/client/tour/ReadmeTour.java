package dev.queenmq.client.tour;

import dev.queenmq.client.Message;
import dev.queenmq.client.OutgoingMessage;
import dev.queenmq.client.PopOptions;
import dev.queenmq.client.PushResult;
import dev.queenmq.client.QueenClient;
import dev.queenmq.client.QueenConsumer;
import dev.queenmq.client.QueueRef;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** The Java half of the README's tour. {@link ClientPageTest} holds the two together. */
final class ReadmeTour {
  final Queue<String> log = new ConcurrentLinkedQueue<>();
  private final String url;

  ReadmeTour(String url) {
    this.url = url;
  }

  record Invoice(int invoice, long cents) {}

  void run() throws InterruptedException {
    try (QueenClient client = QueenClient.connect(url)) {
      // Push: the id is yours; the same push again is a duplicate.
      QueueRef invoices = client.queue("java.invoices");
      PushResult pushed =
          invoices
              .partition("customer-81")
              .push(OutgoingMessage.of(new Invoice(9001, 12990)).withTransactionId("inv-9001"));

      // Pop, waiting if there is nothing, and ack.
      List<Message<Invoice>> messages =
          invoices.pop(Invoice.class, PopOptions.batch(10).waitUpTo(Duration.ofSeconds(20)));
      client.ack(messages);
      log.add(pushed.status() + " " + messages.get(0).payload());

      // A second group reads everything again, lane by lane in order, and pushes what follows.
      CountDownLatch mailed = new CountDownLatch(2);
      QueenConsumer mailer =
          invoices
              .group("mailer")
              .consume(
                  Invoice.class,
                  message -> {
                    client
                        .transaction()
                        .ack(message)
                        .push(client.queue("java.mails"), Map.of("invoice", message.payload()))
                        .commit();
                    mailed.countDown();
                  });
      invoices.partition("customer-90").push(new Invoice(9002, 500));
      mailed.await();
      mailer.close();

      // Look inside.
      client
          .admin()
          .queues()
          .find("java.invoices")
          .ifPresent(queue -> log.add("lanes: " + queue.partitionCount()));
    }
  }
}
