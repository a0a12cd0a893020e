package dev.queenmq.server.http.routing;

import dev.queenmq.server.auth.AuthException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/** Answers requests that are denied, as RFC 6750 says. */
final class AuthErrors {
  private static final CharSequence WWW_AUTHENTICATE =
      HttpHeaders.createOptimized("www-authenticate");
  private static final String CHALLENGE = "Bearer realm=\"queen\"";

  private AuthErrors() {}

  static void answer(HttpServerRequest request, AuthException refusal) {
    switch (refusal.kind()) {
      case MISSING -> challenge(request, CHALLENGE);
      case INVALID -> challenge(request, CHALLENGE + ", error=\"invalid_token\"");
      case FORBIDDEN -> challenge(request, CHALLENGE + ", error=\"insufficient_scope\"");
      case UNAVAILABLE -> {}
    }
    JsonReply.error(request, status(refusal.kind()), refusal.text());
  }

  private static int status(AuthException.Kind kind) {
    return switch (kind) {
      case MISSING, INVALID -> 401;
      case FORBIDDEN -> 403;
      case UNAVAILABLE -> 503;
    };
  }

  private static void challenge(HttpServerRequest request, String text) {
    request.response().putHeader(WWW_AUTHENTICATE, text);
  }
}
