package dev.queenmq.server.spooling;

import dev.queenmq.server.store.Message;

/** A partition as producers name it. */
record Place(String queue, String partition) {
  static Place of(Message message) {
    return new Place(message.queue(), message.partition());
  }
}
