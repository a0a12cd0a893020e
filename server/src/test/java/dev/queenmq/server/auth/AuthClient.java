package dev.queenmq.server.auth;

import dev.queenmq.server.RunningServer.Answer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import org.jose4j.jwt.JwtClaims;

/** A caller with a token, or without. */
public final class AuthClient {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final int port;
  private final Optional<String> authorization;

  private AuthClient(int port, Optional<String> authorization) {
    this.port = port;
    this.authorization = authorization;
  }

  /** Without a token. */
  public static AuthClient stranger(int port) {
    return new AuthClient(port, Optional.empty());
  }

  /** With this header. */
  public static AuthClient with(int port, String authorization) {
    return new AuthClient(port, Optional.of(authorization));
  }

  /** With a token that is signed with the secret of tests. */
  public static AuthClient of(int port, JwtClaims claims) {
    return with(port, "Bearer " + TestTokens.hs256(claims));
  }

  public Answer get(String path) {
    return ask("GET", path, "");
  }

  public Answer post(String path, String body) {
    return ask("POST", path, body);
  }

  public Answer delete(String path) {
    return ask("DELETE", path, "");
  }

  public Answer ask(String method, String path, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    authorization.ifPresent(text -> request.header("Authorization", text));
    return HTTP.sendAsync(request.build(), BodyHandlers.ofString())
        .thenApply(answer -> new Answer(answer.statusCode(), answer.body(), answer))
        .join();
  }
}
