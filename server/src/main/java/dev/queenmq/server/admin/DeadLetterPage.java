package dev.queenmq.server.admin;

import java.util.List;

/**
 * Some dead letters.
 *
 * @param total how many there are on all pages
 */
public record DeadLetterPage(List<ShownMessage> messages, long total) {
  /** Copies the list. */
  public DeadLetterPage {
    messages = List.copyOf(messages);
  }
}
