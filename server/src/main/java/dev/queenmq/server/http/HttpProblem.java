package dev.queenmq.server.http;

/** A request that is answered with an error; the text is for the client. */
public final class HttpProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int BAD_REQUEST = 400;
  private static final int TOO_LARGE = 413;

  private final int status;

  /** With the status of the answer. */
  public HttpProblem(int status, String text) {
    super(text, null, false, false);
    this.status = status;
  }

  /** The client's mistake. */
  static HttpProblem badRequest(String text) {
    return new HttpProblem(BAD_REQUEST, text);
  }

  static HttpProblem tooLarge(long maxBodyBytes) {
    return new HttpProblem(
        TOO_LARGE, "Request body is larger than the limit of " + maxBodyBytes + " bytes");
  }

  /** The status of the answer. */
  public int status() {
    return status;
  }

  /** The text of the answer. */
  String text() {
    return String.valueOf(getMessage());
  }
}
