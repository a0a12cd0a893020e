package dev.queenmq.server.http.messages;

import dev.queenmq.server.broker.Poll;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Waiting polls of one queue that their clients have named, so that they can be ended. A client
 * that just hangs up may have been given messages that it will not read; they stand still until
 * their lease ends. Safe for any thread.
 */
final class NamedPolls {
  private final ConcurrentMap<Name, Poll> waiting = new ConcurrentHashMap<>();

  /**
   * What a poll is found by.
   *
   * @param queue that its path names: whoever may not see the queue cannot end its polls
   * @param id chosen by the client
   */
  record Name(String queue, UUID id) {}

  /** Until it is answered. */
  void add(Name name, Poll poll) {
    waiting.put(name, poll);
    poll.answer().onComplete(done -> waiting.remove(name, poll));
  }

  /**
   * Whether such a poll is not answered yet; it is soon. A client that did not get this answer asks
   * again, and gets the same.
   */
  boolean end(Name name) {
    Poll poll = waiting.get(name);
    if (poll == null) {
      return false;
    }
    poll.end();
    return true;
  }
}
