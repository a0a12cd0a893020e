package dev.queenmq.server.postgres;

import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;

/** None of the servers that were configured takes writes. Passes by as soon as one does. */
public final class NoPrimaryException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String summary;

  /**
   * An exception.
   *
   * @param message names the servers, for the log
   * @param summary names none of them: anyone may read it
   */
  NoPrimaryException(String message, String summary) {
    super(message);
    this.summary = summary;
  }

  /** The one server there is takes no writes. */
  static NoPrimaryException of(ServerState state) {
    String what = "PostgreSQL " + state.describe() + " and takes no writes";
    return new NoPrimaryException(what, what);
  }

  /** None of several servers, each with the reason; by their names. */
  static NoPrimaryException of(Map<String, Throwable> faults) {
    long readOnly = faults.values().stream().filter(NoPrimaryException.class::isInstance).count();
    String none = "none of the %d PostgreSQL servers takes writes".formatted(faults.size());
    String each =
        faults.entrySet().stream()
            .map(fault -> fault.getKey() + ": " + PostgresFault.describe(fault.getValue()))
            .collect(Collectors.joining("; "));
    return new NoPrimaryException(
        "%s (%s)".formatted(none, each),
        "%s: %d %s standby or read-only, %d cannot be reached"
            .formatted(none, readOnly, readOnly == 1 ? "is" : "are", faults.size() - readOnly));
  }

  /** What is wrong, without names and addresses. */
  String summary() {
    return summary;
  }
}
