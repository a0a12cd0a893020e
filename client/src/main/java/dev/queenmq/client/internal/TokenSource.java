package dev.queenmq.client.internal;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the bearer token, and asks for a new one when the broker did not accept it. Requests
 * that fail together ask once.
 */
final class TokenSource {
  private final Supplier<String> supplier;
  private volatile @Nullable String current;

  TokenSource(Supplier<String> supplier) {
    this.supplier = supplier;
  }

  String token() {
    String known = current;
    return known == null ? ask(null) : known;
  }

  /** A token other than this one, if the supplier has one. */
  String after(@Nullable String refused) {
    return ask(refused);
  }

  private synchronized String ask(@Nullable String refused) {
    String known = current;
    if (known == null || known.equals(refused)) {
      known = checked(supplier.get());
      current = known;
    }
    return known;
  }

  /** A token from a file often ends with a line break. What is wrong with it is said without it. */
  private static String checked(@Nullable String given) {
    String token = given == null ? "" : given.strip();
    if (token.isEmpty() || !token.chars().allMatch(c -> c >= ' ' && c <= '~')) {
      throw new IllegalArgumentException(
          "the token is empty or has characters that a header cannot have");
    }
    return token;
  }
}
