package dev.queenmq.server.upkeep;

/** Another broker runs the job. */
public final class UpkeepHeldException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UpkeepHeldException(UpkeepJob job, String holder) {
    super("The job " + job.label() + " is run by " + holder + " at the moment");
  }
}
