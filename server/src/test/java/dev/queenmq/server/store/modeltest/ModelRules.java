package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.Problem;

/** What the store refuses to take. The wording of a refusal is not the model's business. */
final class ModelRules {
  static final Problem PROBLEM = new Problem("");
  private static final int LONGEST_NAME = 255;

  private ModelRules() {}

  static boolean isBad(Message message) {
    return isBadName(message.queue())
        || isBadName(message.partition())
        || isBadName(message.transactionId())
        || hasNul(message.payload());
  }

  static boolean isBadName(String name) {
    return name.isEmpty() || name.length() > LONGEST_NAME || hasNul(name);
  }

  static boolean hasNul(String text) {
    return text.indexOf(0) >= 0;
  }
}
