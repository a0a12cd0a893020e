package dev.queenmq.server.admin;

import java.util.List;

/**
 * Some dead letters.
 *
 * @param total how many there are on all pages
 * @param needed bytes of the first one, if it is larger than the page may be; otherwise 0
 */
public record DeadLetterPage(List<ShownMessage> messages, long total, long needed) {
  /** Copies the list. */
  public DeadLetterPage {
    messages = List.copyOf(messages);
  }
}
