package dev.queenmq.client.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.queenmq.client.admin.system.BrokerMetrics;
import dev.queenmq.client.admin.system.EncryptionStatus;
import dev.queenmq.client.admin.system.Health;
import dev.queenmq.client.admin.system.MaintenanceStatus;
import dev.queenmq.client.admin.system.PopMaintenance;
import dev.queenmq.client.admin.system.RefreshResult;
import dev.queenmq.client.admin.system.SharedState;
import dev.queenmq.client.admin.system.UpkeepJob;
import dev.queenmq.client.admin.system.UpkeepResult;
import dev.queenmq.client.internal.Request;
import dev.queenmq.client.internal.Request.Retry;
import dev.queenmq.client.internal.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Brokers themselves: health, figures, background jobs, maintenance. What is not about all brokers
 * is about the one that answers.
 */
public final class SystemAdmin {
  /** What an answer takes beyond the time that the broker was asked to wait. */
  private static final Duration ANSWER_TIME = Duration.ofSeconds(10);

  private final AdminCalls calls;

  SystemAdmin(AdminCalls calls) {
    this.calls = calls;
  }

  /**
   * Whether the broker and its PostgreSQL are well. While PostgreSQL does not answer, this fails as
   * unavailable.
   *
   * @return its health
   */
  public Health health() {
    return Transport.join(healthAsync());
  }

  /**
   * {@link #health()} without waiting.
   *
   * @return its health
   */
  public CompletableFuture<Health> healthAsync() {
    return calls.ask(Request.get("/health").withRetry(Retry.NEVER), Health.class);
  }

  /**
   * Whether the broker can serve requests: it answers and reaches PostgreSQL.
   *
   * @return false also if no broker answers
   */
  public boolean isReady() {
    return Transport.join(isReadyAsync());
  }

  /**
   * {@link #isReady()} without waiting.
   *
   * @return false also if no broker answers
   */
  public CompletableFuture<Boolean> isReadyAsync() {
    return calls.succeeds(Request.get("/health/ready").withRetry(Retry.NEVER));
  }

  /**
   * Whether a load balancer should send requests to the broker: it takes pushes, to PostgreSQL or
   * to its spool, and is not about to stop.
   *
   * @return false also if no broker answers
   */
  public boolean isAccepting() {
    return Transport.join(isAcceptingAsync());
  }

  /**
   * {@link #isAccepting()} without waiting.
   *
   * @return false also if no broker answers
   */
  public CompletableFuture<Boolean> isAcceptingAsync() {
    return calls.succeeds(Request.get("/health/accepting").withRetry(Retry.NEVER));
  }

  /**
   * Whether the broker answers at all, whatever PostgreSQL does.
   *
   * @return false if no broker answers
   */
  public boolean isAlive() {
    return Transport.join(isAliveAsync());
  }

  /**
   * {@link #isAlive()} without waiting.
   *
   * @return false if no broker answers
   */
  public CompletableFuture<Boolean> isAliveAsync() {
    return calls.succeeds(Request.get("/health/live").withRetry(Retry.NEVER));
  }

  /**
   * The figures of the broker since its start.
   *
   * @return the figures
   */
  public BrokerMetrics metrics() {
    return Transport.join(metricsAsync());
  }

  /**
   * {@link #metrics()} without waiting.
   *
   * @return the figures
   */
  public CompletableFuture<BrokerMetrics> metricsAsync() {
    return calls.ask(Request.get("/metrics"), BrokerMetrics.class);
  }

  /**
   * The figures of the broker and of the cluster in the text format of Prometheus.
   *
   * @return the text
   */
  public String prometheus() {
    return Transport.join(prometheusAsync());
  }

  /**
   * {@link #prometheus()} without waiting.
   *
   * @return the text
   */
  public CompletableFuture<String> prometheusAsync() {
    return calls
        .send(Request.get("/metrics/prometheus"))
        .thenApply(response -> new String(response.bytes(), StandardCharsets.UTF_8));
  }

  /**
   * What the broker remembers, and what it knows of other brokers.
   *
   * @return its knowledge
   */
  public SharedState sharedState() {
    return Transport.join(sharedStateAsync());
  }

  /**
   * {@link #sharedState()} without waiting.
   *
   * @return its knowledge
   */
  public CompletableFuture<SharedState> sharedStateAsync() {
    return calls.ask(Request.get("/api/v1/system/shared-state"), SharedState.class);
  }

  /**
   * Wakes the polls that wait at the broker for messages of a queue. Brokers do that themselves;
   * this is for tools that write to PostgreSQL past them.
   *
   * @param queue its name
   * @param partition null for any
   */
  public void wake(String queue, @Nullable String partition) {
    Transport.join(wakeAsync(queue, partition));
  }

  /**
   * {@link #wake(String, String)} without waiting.
   *
   * @param queue its name
   * @param partition null for any
   * @return completes when it is done
   */
  public CompletableFuture<Void> wakeAsync(String queue, @Nullable String partition) {
    ObjectNode body = calls.object().put("queue", queue);
    if (partition != null) {
      body.put("partition", partition);
    }
    return calls.ask(
        Request.post("/internal/api/notify").withBody(body).withRetry(Retry.ALWAYS),
        AdminCalls::nothing);
  }

  /**
   * With which keys payloads are encrypted, and how far they are encrypted again.
   *
   * @return the state of encryption
   */
  public EncryptionStatus encryption() {
    return Transport.join(encryptionAsync());
  }

  /**
   * {@link #encryption()} without waiting.
   *
   * @return the state of encryption
   */
  public CompletableFuture<EncryptionStatus> encryptionAsync() {
    return calls.ask(Request.get("/api/v1/system/encryption"), EncryptionStatus.class);
  }

  /**
   * The jobs that brokers do in the background, and their last runs.
   *
   * @return all jobs
   */
  public List<UpkeepJob> upkeep() {
    return Transport.join(upkeepAsync());
  }

  /**
   * {@link #upkeep()} without waiting.
   *
   * @return all jobs
   */
  public CompletableFuture<List<UpkeepJob>> upkeepAsync() {
    return calls.ask(
        Request.get("/api/v1/system/upkeep"),
        answer -> calls.list(answer.path("jobs"), UpkeepJob.class));
  }

  /**
   * Does a background job from the beginning, whether it is due or not. It is refused while another
   * broker does it.
   *
   * @param job its name, as {@link #upkeep} shows it
   * @param patience how long to wait for its end, up to 110 seconds
   * @return what became of it; a job that takes longer goes on
   */
  public UpkeepResult runUpkeep(String job, Duration patience) {
    return Transport.join(runUpkeepAsync(job, patience));
  }

  /**
   * {@link #runUpkeep(String, Duration)} without waiting.
   *
   * @param job its name, as {@link #upkeep} shows it
   * @param patience how long to wait for its end, up to 110 seconds
   * @return what became of it; a job that takes longer goes on
   */
  public CompletableFuture<UpkeepResult> runUpkeepAsync(String job, Duration patience) {
    return calls.ask(
        Request.post("/api/v1/system/upkeep/{}/run", job)
            .withQuery("wait", patience.toMillis())
            .withTimeout(patience.plus(ANSWER_TIME)),
        UpkeepResult.class);
  }

  /**
   * Sums up all partitions now. With many partitions brokers do that every few seconds only.
   *
   * @return what was done; it may still be running
   */
  public RefreshResult refreshStatistics() {
    return Transport.join(refreshStatisticsAsync());
  }

  /**
   * {@link #refreshStatistics()} without waiting.
   *
   * @return what was done; it may still be running
   */
  public CompletableFuture<RefreshResult> refreshStatisticsAsync() {
    return calls.ask(
        Request.post("/api/v1/stats/refresh").withRetry(Retry.ALWAYS), SystemAdmin::refreshResult);
  }

  private static RefreshResult refreshResult(JsonNode answer) {
    return new RefreshResult(
        answer.path("running").asBoolean(),
        answer.path("skipped").asBoolean(),
        answer.path("partition").path("partitionsUpdated").asLong(),
        answer.path("queue").path("queuesUpdated").asLong(),
        answer);
  }

  /**
   * Whether clients are kept away from PostgreSQL.
   *
   * @return both switches, and the spool of the broker
   */
  public MaintenanceStatus maintenance() {
    return Transport.join(maintenanceAsync());
  }

  /**
   * {@link #maintenance()} without waiting.
   *
   * @return both switches, and the spool of the broker
   */
  public CompletableFuture<MaintenanceStatus> maintenanceAsync() {
    return calls.ask(Request.get("/api/v1/system/maintenance"), MaintenanceStatus.class);
  }

  /**
   * Keeps pushes in the spools of all brokers, or lets them go to PostgreSQL again.
   *
   * @param enabled whether to keep them
   * @return the switch, and the spool of the broker
   */
  public MaintenanceStatus setMaintenance(boolean enabled) {
    return Transport.join(setMaintenanceAsync(enabled));
  }

  /**
   * {@link #setMaintenance(boolean)} without waiting.
   *
   * @param enabled whether to keep them
   * @return the switch, and the spool of the broker
   */
  public CompletableFuture<MaintenanceStatus> setMaintenanceAsync(boolean enabled) {
    return calls.ask(
        Request.post("/api/v1/system/maintenance")
            .withBody(calls.object().put("enabled", enabled))
            .withRetry(Retry.ALWAYS),
        MaintenanceStatus.class);
  }

  /**
   * Whether pops find nothing, at all brokers.
   *
   * @return the switch
   */
  public PopMaintenance popMaintenance() {
    return Transport.join(popMaintenanceAsync());
  }

  /**
   * {@link #popMaintenance()} without waiting.
   *
   * @return the switch
   */
  public CompletableFuture<PopMaintenance> popMaintenanceAsync() {
    return calls.ask(Request.get("/api/v1/system/maintenance/pop"), PopMaintenance.class);
  }

  /**
   * Lets pops find nothing at all brokers, or what there is again.
   *
   * @param enabled whether they find nothing
   * @return the switch
   */
  public PopMaintenance setPopMaintenance(boolean enabled) {
    return Transport.join(setPopMaintenanceAsync(enabled));
  }

  /**
   * {@link #setPopMaintenance(boolean)} without waiting.
   *
   * @param enabled whether they find nothing
   * @return the switch
   */
  public CompletableFuture<PopMaintenance> setPopMaintenanceAsync(boolean enabled) {
    return calls.ask(
        Request.post("/api/v1/system/maintenance/pop")
            .withBody(calls.object().put("enabled", enabled))
            .withRetry(Retry.ALWAYS),
        PopMaintenance.class);
  }

  /**
   * The OpenAPI description of all routes of the broker.
   *
   * @return the description
   */
  public JsonNode openApi() {
    return Transport.join(openApiAsync());
  }

  /**
   * {@link #openApi()} without waiting.
   *
   * @return the description
   */
  public CompletableFuture<JsonNode> openApiAsync() {
    return calls.ask(Request.get("/api/v1/openapi.json"), answer -> answer);
  }
}
