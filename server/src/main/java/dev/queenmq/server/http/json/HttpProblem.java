package dev.queenmq.server.http.json;

/** A request that is answered with an error; the text is for the client. */
public final class HttpProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int BAD_REQUEST = 400;
  private static final int TOO_LARGE = 413;
  private static final int UNAVAILABLE = 503;

  private final int status;

  /** A problem with the status of its answer. */
  public HttpProblem(int status, String text) {
    super(text, null, false, false);
    this.status = status;
  }

  /** The client's mistake. */
  public static HttpProblem badRequest(String text) {
    return new HttpProblem(BAD_REQUEST, text);
  }

  /**
   * A body beyond the limit.
   *
   * @param byMemory whether the limit follows from the memory of the broker, not from a setting
   */
  public static HttpProblem tooLarge(long maxBodyBytes, boolean byMemory) {
    String limit = "Request body is larger than the limit of " + maxBodyBytes + " bytes";
    return new HttpProblem(
        TOO_LARGE, byMemory ? limit + " that follows from the memory of the broker" : limit);
  }

  /** A body that there is no memory for now. */
  public static HttpProblem noMemory() {
    return new HttpProblem(
        UNAVAILABLE, "The broker has no memory for this request body now; try again");
  }

  /** An answer that there is no memory for now. */
  public static HttpProblem noMemoryToAnswer() {
    return new HttpProblem(
        UNAVAILABLE, "The broker has no memory for this answer now; try again, or ask for less");
  }

  /** The status of the answer. */
  public int status() {
    return status;
  }

  /** The text of the answer. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
