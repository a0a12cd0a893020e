package dev.queenmq.server.broker;

import io.vertx.core.Future;
import java.util.List;

/** The counters of a broker. Safe for use by several threads. */
public interface Figures {

  /** The figures as of now. */
  SidecarFigures now();

  /**
   * What was carried in the minute that runs, one for each event loop.
   *
   * @param minuteIsOver count the next one from 0
   */
  Future<List<TrafficSnapshot>> traffic(boolean minuteIsOver);

  /** What PostgreSQL's clock shows, in milliseconds since 1970. */
  long databaseMillis();
}
