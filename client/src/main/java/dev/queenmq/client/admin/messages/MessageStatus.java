package dev.queenmq.client.admin.messages;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;

/** What became of a message. */
public enum MessageStatus {
  /** Not delivered yet, or given back. */
  @JsonProperty("pending")
  PENDING("pending"),
  /** A live lease covers it. */
  @JsonProperty("processing")
  PROCESSING("processing"),
  /** Done. */
  @JsonProperty("completed")
  COMPLETED("completed"),
  /** A group gave it up. */
  @JsonProperty("dead_letter")
  DEAD_LETTER("dead_letter"),
  /** A word that this version does not know. */
  @JsonEnumDefaultValue
  UNKNOWN("unknown");

  private final String word;

  MessageStatus(String word) {
    this.word = word;
  }

  /**
   * The word that brokers use.
   *
   * @return for example {@code pending}
   */
  public String word() {
    return word;
  }
}
