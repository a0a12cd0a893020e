package dev.queenmq.server.metrics;

/** What is measured of a broker's process, in the order in which it is written down. */
public enum SystemMeasure {
  /** CPU time in our code: percent of one core, times 100. */
  CPU_USER(0, "cpu", "user_us"),
  /** CPU time in the kernel for us: percent of one core, times 100. */
  CPU_SYSTEM(1, "cpu", "system_us"),
  /** Memory. */
  RESIDENT(2, "memory", "rss_bytes"),
  /** Address space. */
  VIRTUAL(3, "memory", "virtual_bytes"),
  /** Connections for messages that there may be. */
  POOL_SIZE(4, "database", "pool_size"),
  /** Connections that are free. */
  POOL_IDLE(5, "database", "pool_idle"),
  /** Connections that are in use. */
  POOL_ACTIVE(6, "database", "pool_active"),
  /** Event loops, which do the work of a pool of threads for the database. */
  DB_THREADS(7, "threadpool.db", "pool_size"),
  /** Requests that wait for a connection. */
  DB_QUEUE(8, "threadpool.db", "queue_size"),
  /** Threads of the process. */
  SYSTEM_THREADS(9, "threadpool.system", "pool_size"),
  /** Nothing waits for a thread here. */
  SYSTEM_QUEUE(10, "threadpool.system", "queue_size"),
  /** Polls that wait for an answer. */
  RESPONSES(11, "registries", "response");

  private final int place;
  private final String group;
  private final String key;

  SystemMeasure(int place, String group, String key) {
    this.place = place;
    this.group = group;
    this.key = key;
  }

  /** Its place among the measures that are written down, from 0. */
  public int place() {
    return place;
  }

  /** The object that it stands in, by the HTTP contract; a dot for one within another. */
  public String group() {
    return group;
  }

  /** Its name there. */
  public String key() {
    return key;
  }
}
