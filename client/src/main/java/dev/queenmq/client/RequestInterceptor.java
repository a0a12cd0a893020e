package dev.queenmq.client;

import java.net.URI;

/**
 * Sees every HTTP request before it is sent, and may add headers. It is called for each attempt, on
 * any thread, and must not block. A push request may carry messages of several callers.
 */
@FunctionalInterface
public interface RequestInterceptor {

  /**
   * Looks at a request.
   *
   * @param request what is about to be sent
   */
  void intercept(Outgoing request);

  /** A request that is about to be sent. */
  interface Outgoing {
    /**
     * The HTTP method.
     *
     * @return for example {@code POST}
     */
    String method();

    /**
     * Where it goes.
     *
     * @return the whole URI, with the broker that was chosen
     */
    URI uri();

    /**
     * Sets a header, in place of one with this name.
     *
     * @param name of the header
     * @param value of the header
     */
    void header(String name, String value);
  }
}
