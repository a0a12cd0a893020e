package dev.queenmq.examples;

import dev.queenmq.client.QueenClient;
import dev.queenmq.client.QueenConsumer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * A chat. Each room is a partition, and so a lane of its own: its lines are shown one after the
 * other, in the order in which they were written, by whichever of many handlers is free. A room
 * whose readers are slow delays no other room.
 */
public final class ChatRooms implements Example {

  /** A line of a chat. */
  record Line(String author, String text) {}

  private static final List<Line> DIALOGUE =
      List.of(
          new Line("ada", "Is anybody here?"),
          new Line("bob", "I am."),
          new Line("ada", "Then let us begin."),
          new Line("bob", "After you."));

  private static final List<String> ROOMS = List.of("garden", "kitchen", "attic");

  /** The room in which everything takes longer. */
  static final String SLOW = "attic";

  private static final int SLOWNESS_MILLIS = 50;

  /** Runs it. */
  public static void main(String[] arguments) throws InterruptedException {
    Example.main(new ChatRooms(), arguments);
  }

  @Override
  public void run(QueenClient client, Consumer<String> out) throws InterruptedException {
    CountDownLatch shown = new CountDownLatch(ROOMS.size() * DIALOGUE.size());
    try (QueenConsumer readers =
        client
            .queue("chat")
            .consumer(Line.class)
            .concurrency(ROOMS.size())
            .start(
                message -> {
                  if (message.partition().equals(SLOW)) {
                    Thread.sleep(SLOWNESS_MILLIS);
                  }
                  Line line = message.payload();
                  out.accept(message.partition() + " | " + line.author() + ": " + line.text());
                  shown.countDown();
                })) {
      for (Line line : DIALOGUE) {
        for (String room : ROOMS) {
          client.queue("chat").partition(room).push(line);
        }
      }
      shown.await();
      out.accept("handlers that still work: " + readers.inFlight());
    }
  }
}
