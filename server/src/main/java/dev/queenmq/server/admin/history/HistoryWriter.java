package dev.queenmq.server.admin.history;

import dev.queenmq.server.admin.AdminSql;
import dev.queenmq.server.metrics.MinuteReport;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.ZoneOffset;
import java.util.List;

/** Writes down minutes; upkeep removes old ones. Safe for use by several threads. */
public final class HistoryWriter {
  private static final String WRITE =
      "select queen.write_minute_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,"
          + " $15, $16, $17, $18)";
  private static final String FORGET = "select queen.forget_brokers_v1($1)";

  private final AdminSql sql;
  private final BrokerIdentity broker;

  /** A writer of this broker's minutes. */
  public HistoryWriter(StoreClient client, BrokerIdentity broker) {
    this.sql = new AdminSql(client);
    this.broker = broker;
  }

  /** One statement, whatever is in it; to be repeated if it fails. */
  Future<Void> write(MinuteReport report) {
    MinuteReport.ProcessTaken process = report.process();
    return sql.ask(
            WRITE,
            Tuple.tuple()
                .addOffsetDateTime(report.minute().atOffset(ZoneOffset.UTC))
                .addUUID(broker.id())
                .addString(broker.hostname())
                .addInteger(broker.port())
                .addString(broker.name())
                .addLong(broker.pid())
                .addArrayOfLong(longs(report.totals()))
                .addArrayOfString(report.queues().toArray(String[]::new))
                .addArrayOfLong(longs(report.queueCounts()))
                .addInteger(report.workers())
                .addArrayOfLong(longs(report.workerCounts()))
                .addArrayOfDouble(doubles(report.workerDelays()))
                .addLong(process.samples())
                .addArrayOfDouble(doubles(process.sums()))
                .addArrayOfDouble(doubles(process.lows()))
                .addArrayOfDouble(doubles(process.highs()))
                .addArrayOfDouble(doubles(process.last()))
                .addValue(report.sharedState()))
        .mapEmpty();
  }

  /** Merges the totals of brokers that were not seen for a number of days. */
  Future<Void> forgetBrokers(int days) {
    return sql.ask(FORGET, Tuple.of(days)).mapEmpty();
  }

  private static Long[] longs(List<Long> values) {
    return values.toArray(Long[]::new);
  }

  private static Double[] doubles(List<Double> values) {
    return values.toArray(Double[]::new);
  }
}
