package dev.queenmq.server.spool.log;

import dev.queenmq.server.encryption.Encryption;
import java.nio.file.Path;

/** Another process that opens a spool, and says why it cannot. */
public final class SpoolOpener {
  private SpoolOpener() {}

  /** Exits with 0 if it could. */
  public static void main(String[] arguments) {
    try (Spool spool =
        Spool.open(
            SpoolOptions.of(Path.of(arguments[0]), 1 << 20), Encryption.none(), System::nanoTime)) {
      System.out.println(spool.figures());
    } catch (SpoolException e) {
      System.out.println(e.getMessage());
      System.exit(1);
    }
  }
}
