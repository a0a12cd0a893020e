package dev.queenmq.client.admin.system;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.queenmq.client.admin.status.Status;
import org.jspecify.annotations.Nullable;

/**
 * Whether a broker is well.
 *
 * @param status in one word
 * @param database {@code connected} or {@code disconnected}
 * @param databaseError why it is not connected, in a few words
 * @param durability whether commits survive a crash; null before the first contact
 * @param server the name of the product
 * @param version of the broker
 * @param sharedState what it knows of other brokers; null before the first contact
 */
public record Health(
    Status status,
    String database,
    @JsonProperty("database_error") @Nullable String databaseError,
    @Nullable Durability durability,
    @Nullable String server,
    @Nullable String version,
    @JsonProperty("shared_state") @Nullable SharedState sharedState) {

  /** How a broker is. */
  public enum Status {
    /** All is well. */
    @JsonProperty("healthy")
    HEALTHY,
    /** It works, but PostgreSQL may lose commits in a crash. */
    @JsonProperty("degraded")
    DEGRADED,
    /** PostgreSQL does not answer. */
    @JsonProperty("unhealthy")
    UNHEALTHY,
    /** A word that this version does not know. */
    @JsonEnumDefaultValue
    UNKNOWN
  }

  /**
   * Whether commits survive a crash of PostgreSQL.
   *
   * @param safe whether they do
   * @param allowed whether the settings of the broker allow that they do not
   * @param fsync the setting of PostgreSQL
   * @param synchronousCommit the setting of PostgreSQL
   * @param fullPageWrites the setting of PostgreSQL
   */
  public record Durability(
      boolean safe,
      boolean allowed,
      String fsync,
      @JsonProperty("synchronous_commit") String synchronousCommit,
      @JsonProperty("full_page_writes") String fullPageWrites) {}
}
