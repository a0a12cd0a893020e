package dev.queenmq.examples;

import dev.queenmq.client.QueenClient;
import java.util.function.Consumer;

/** What the programs have in common: a broker, and somewhere to print. */
interface Example {

  /**
   * Runs until it has shown what it shows.
   *
   * @param client connected with a broker
   * @param out takes what a user would see; safe for several threads
   */
  void run(QueenClient client, Consumer<String> out) throws InterruptedException;

  /** Runs an example as a program: with the broker of the first argument, or the usual one. */
  static void main(Example example, String[] arguments) throws InterruptedException {
    String url = arguments.length > 0 ? arguments[0] : "http://localhost:6632";
    try (QueenClient client = QueenClient.connect(url)) {
      example.run(client, System.out::println);
    }
  }
}
