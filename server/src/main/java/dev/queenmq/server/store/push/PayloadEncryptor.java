package dev.queenmq.server.store.push;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.store.call.Positions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Seals the messages of queues that are believed to be encrypted. What is believed is what the last
 * push found, or the last configuration that passed here; where it is wrong, the store refuses
 * plain messages and they come again. Owned by the store's event loop.
 */
public final class PayloadEncryptor {
  private final Encryption encryption;
  private final int maxQueues;
  private final Set<String> encrypted = new HashSet<>();

  /**
   * Believes nothing yet.
   *
   * @param maxQueues beyond this number, all is dropped and learned again
   */
  public PayloadEncryptor(Encryption encryption, int maxQueues) {
    this.encryption = encryption;
    this.maxQueues = maxQueues;
  }

  /** Whether a plain message cannot get into an encrypted queue at all. */
  boolean cannotEncrypt() {
    return !encryption.isPossible();
  }

  /** Whether the store is to take plain messages into encrypted queues. */
  boolean storesPlain() {
    return encryption.storesPlain();
  }

  /** The messages, those at these positions as they are to be stored. */
  List<Message> sealed(List<Message> messages, Positions positions) {
    if (encrypted.isEmpty() || !encryption.cipher().canSeal()) {
      return messages;
    }
    List<Message> ready = messages;
    for (int i = 0; i < positions.size(); i++) {
      int position = positions.get(i);
      Message message = messages.get(position);
      if (!message.encrypted() && encrypted.contains(message.queue())) {
        if (ready == messages) {
          ready = new ArrayList<>(messages);
        }
        ready.set(
            position, message.sealed(encryption.cipher().seal(message.payload(), message.place())));
      }
    }
    return ready;
  }

  /** Whether the messages of a queue are sealed here. */
  boolean believesEncrypted(String queue) {
    return !encrypted.isEmpty() && encrypted.contains(queue);
  }

  /** Believes nothing any more: another server may have other queues. */
  public void forgetAll() {
    encrypted.clear();
  }

  /** What the store says of a queue. */
  public void found(String queue, boolean isEncrypted) {
    if (!isEncrypted) {
      if (!encrypted.isEmpty()) {
        encrypted.remove(queue);
      }
    } else if (encrypted.add(queue) && encrypted.size() > maxQueues) {
      encrypted.clear();
      encrypted.add(queue);
    }
  }
}
