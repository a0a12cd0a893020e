package dev.queenmq.bench;

import java.io.PrintWriter;

/** What a run ran on, as the server and the JVM say themselves: figures mean nothing without. */
public final class MachineReport {
  private MachineReport() {}

  /** Prints it. */
  public static void print(PrintWriter out, BenchDatabase database) {
    out.printf("PostgreSQL   %s%n", database.text("select version()"));
    for (String setting :
        new String[] {"fsync", "synchronous_commit", "full_page_writes", "shared_buffers"}) {
      out.printf(
          "             %s = %s%n",
          setting, database.text("select current_setting('" + setting + "')"));
    }
    out.printf("machine      %s%n", machine());
    out.printf("JDK          %s%n%n", Runtime.version());
    out.flush();
  }

  /** The cores and the operating system. */
  public static String machine() {
    return "%d cores, %s %s"
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name"),
            System.getProperty("os.arch"));
  }
}
