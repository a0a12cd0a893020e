package dev.queenmq.server.auth;

import dev.queenmq.server.config.values.TokenAlgorithm;
import dev.queenmq.server.config.values.TokenAlgorithm.Family;
import java.security.Key;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/** Published keys, by their ids. Only public keys for signatures: published secrets are ignored. */
record Jwks(List<Published> keys) {
  private static final int MOST_KEYS = 64;

  /** Of a token that does not say which key, no more are tried. */
  private static final int MOST_TRIED = 4;

  /** One of them. */
  record Published(Optional<String> id, Family family, Optional<String> algorithm, PublicKey key) {

    boolean fits(TokenAlgorithm wanted) {
      return family == wanted.family()
          && algorithm.map(only -> only.equals(wanted.label())).orElse(true);
    }
  }

  Jwks {
    keys = List.copyOf(keys);
  }

  /** Without the keys that we have no use for; empty if the text is no set of keys at all. */
  static Optional<Jwks> parse(String text) {
    List<JsonWebKey> given;
    try {
      given = new JsonWebKeySet(text).getJsonWebKeys();
    } catch (JoseException | RuntimeException e) {
      return Optional.empty();
    }
    List<Published> usable = new ArrayList<>();
    for (JsonWebKey each : given) {
      if (usable.size() < MOST_KEYS) {
        published(each).ifPresent(usable::add);
      }
    }
    return Optional.of(new Jwks(usable));
  }

  private static Optional<Published> published(JsonWebKey given) {
    @Nullable Key key = given.getKey();
    boolean forSignatures = given.getUse() == null || given.getUse().equals("sig");
    if (!forSignatures || !(key instanceof PublicKey publicKey)) {
      return Optional.empty();
    }
    return TokenAlgorithm.familyOf(publicKey)
        .map(
            family ->
                new Published(
                    Optional.ofNullable(given.getKeyId()),
                    family,
                    Optional.ofNullable(given.getAlgorithm()),
                    publicKey));
  }

  KeySource.Found find(TokenAlgorithm algorithm, Optional<String> keyId) {
    List<Published> named =
        keys.stream().filter(key -> keyId.isEmpty() || key.id().equals(keyId)).toList();
    List<Key> fitting = new ArrayList<>();
    for (Published key : named) {
      if (key.fits(algorithm) && fitting.size() < MOST_TRIED) {
        fitting.add(key.key());
      }
    }
    // A key of that id that is of another kind stays what it is, however often it is fetched.
    return named.isEmpty() || (keyId.isEmpty() && fitting.isEmpty())
        ? new KeySource.Found.UnknownKeyId()
        : new KeySource.Found.Keys(fitting);
  }
}
