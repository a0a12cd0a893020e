package dev.queenmq.server.metrics;

import dev.queenmq.server.upkeep.UpkeepFigures;
import dev.queenmq.server.upkeep.UpkeepFigures.JobFigures;

/** What this broker did in the background, as series. */
final class UpkeepMetrics {

  private UpkeepMetrics() {}

  static void write(PrometheusText text, UpkeepFigures upkeep) {
    text.counter(
        "queen_upkeep_removed_messages_total",
        "Messages that jobs of this broker removed, or skipped for a group.");
    for (JobFigures each : upkeep.jobs()) {
      if (each.job().removesMessages()) {
        text.sample("job", each.job().label(), each.removed());
      }
    }
    text.counter("queen_upkeep_runs_total", "Runs of jobs that this broker ended.");
    for (JobFigures each : upkeep.jobs()) {
      text.sample("job", each.job().label(), "result", "success", each.succeeded());
      text.sample("job", each.job().label(), "result", "error", each.failed());
    }
    text.counter(
        "queen_resealed_payloads_total",
        "Stored payloads that this broker has encrypted again: with another key, or bound to their message.");
    text.sample(upkeep.resealed());
    text.counter(
        "queen_reseal_unopened_payloads_total",
        "Stored payloads that could not be decrypted to be encrypted again, counted in each pass.");
    text.sample(upkeep.unopened());
  }
}
