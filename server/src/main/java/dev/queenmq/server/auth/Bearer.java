package dev.queenmq.server.auth;

import java.util.List;

/** Finds the token in a request's {@code Authorization} headers. */
final class Bearer {
  private static final String SCHEME = "Bearer";

  private Bearer() {}

  /** A token without a scheme before it counts too: existing clients send it so. */
  static String token(List<String> headers) {
    if (headers.isEmpty()) {
      throw missing();
    }
    if (headers.size() > 1) {
      throw AuthException.invalid("Token decode error: more than one Authorization header");
    }
    String text = headers.get(0).strip();
    int gap = 0;
    while (gap < text.length() && text.charAt(gap) > ' ') {
      gap++;
    }
    boolean named = text.substring(0, gap).equalsIgnoreCase(SCHEME);
    if (gap == text.length()) {
      if (named || text.isEmpty()) {
        throw missing();
      }
      return text;
    }
    if (!named) {
      throw missing();
    }
    return text.substring(gap).strip();
  }

  private static AuthException missing() {
    return new AuthException(AuthException.Kind.MISSING, "Authentication required");
  }
}
