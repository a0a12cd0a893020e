package dev.queenmq.client.admin.system;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * Whether clients are kept away from PostgreSQL.
 *
 * @param pushes whether pushes stay in the spools of brokers
 * @param pops whether pops find nothing; null where the broker does not report it
 * @param spooledMessages that wait in the spool of this broker
 * @param spoolHealthy whether it has room
 * @param spool more about it; null where the broker does not report it
 * @param message for people; null where the broker does not report it
 */
public record MaintenanceStatus(
    @JsonProperty("maintenanceMode") boolean pushes,
    @JsonProperty("popMaintenanceMode") @Nullable Boolean pops,
    @JsonProperty("bufferedMessages") long spooledMessages,
    @JsonProperty("bufferHealthy") boolean spoolHealthy,
    @JsonProperty("bufferStats") @Nullable Spool spool,
    @Nullable String message) {

  /**
   * The spool of this broker.
   *
   * @param pendingCount messages that wait
   * @param failedCount messages that PostgreSQL did not take
   * @param dbHealthy whether PostgreSQL answers
   * @param failedFiles where the latter are
   */
  public record Spool(
      long pendingCount, long failedCount, boolean dbHealthy, FailedFiles failedFiles) {}

  /**
   * Files with messages that PostgreSQL did not take.
   *
   * @param count how many there are
   * @param totalBytes how large they are
   */
  public record FailedFiles(long count, long totalBytes) {}
}
