package dev.queenmq.server.auth;

import dev.queenmq.server.config.AuthConfig;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jspecify.annotations.Nullable;

/** Checks the claims of a token and turns them into permissions. */
final class ClaimRules {
  private static final int LONGEST_SUBJECT = 255;
  private static final long LAST_SECOND = Instant.MAX.getEpochSecond() / 2;

  private final AuthConfig config;

  ClaimRules(AuthConfig config) {
    this.config = config;
  }

  /**
   * Throws a {@link AuthException} unless the claims are as they must be; does not look at the
   * clock.
   */
  Credential read(JwtClaims claims) {
    checkIssuer(claims);
    checkAudience(claims);
    Optional<Instant> expiry = moment(claims, "exp");
    if (config.requireExpiry() && expiry.isEmpty()) {
      throw AuthException.invalid("Token has no exp claim");
    }
    Instant from =
        later(
            moment(claims, "nbf").orElse(Instant.EPOCH),
            moment(claims, "iat").orElse(Instant.EPOCH));
    Instant until = expiry.orElse(Instant.ofEpochSecond(LAST_SECOND));
    QueueLimit queues = queues(claims);
    return new Credential(
        new Caller(
            subject(claims),
            permissions(claims),
            queues,
            labels(claims, queues),
            until.plus(config.clockSkew())),
        from,
        until);
  }

  private void checkIssuer(JwtClaims claims) {
    if (config.issuer().isPresent() && !config.issuer().get().equals(claims.getClaimValue("iss"))) {
      throw AuthException.invalid("Invalid token issuer");
    }
  }

  private void checkAudience(JwtClaims claims) {
    if (config.audience().isPresent()
        && !texts(claims.getClaimValue("aud")).contains(config.audience().get())) {
      throw AuthException.invalid("Invalid token audience");
    }
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private static Optional<Instant> moment(JwtClaims claims, String name) {
    if (!claims.hasClaim(name)) {
      return Optional.empty();
    }
    try {
      long seconds = claims.getNumericDateClaimValue(name).getValue();
      return Optional.of(
          Instant.ofEpochSecond(Math.max(-LAST_SECOND, Math.min(LAST_SECOND, seconds))));
    } catch (MalformedClaimException | RuntimeException e) {
      throw malformed(name);
    }
  }

  /** Stored beside messages, so what cannot be stored is no subject. */
  private static Optional<String> subject(JwtClaims claims) {
    @Nullable Object subject = claims.getClaimValue("sub");
    if (subject == null) {
      return Optional.empty();
    }
    if (!(subject instanceof String text)
        || text.length() > LONGEST_SUBJECT
        || text.indexOf('\0') >= 0
        || !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw malformed("sub");
    }
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  private Set<Permission> permissions(JwtClaims claims) {
    AuthConfig.Roles roles = config.roles();
    List<String> given = new ArrayList<>(texts(claims.getClaimValue(roles.claim())));
    given.addAll(texts(claims.getClaimValue(roles.arrayClaim())));
    Set<Permission> permissions = EnumSet.noneOf(Permission.class);
    for (String role : given) {
      if (role.equals(roles.admin())) {
        permissions.addAll(EnumSet.allOf(Permission.class));
      }
      if (role.equals(roles.readWrite())) {
        permissions.addAll(EnumSet.complementOf(EnumSet.of(Permission.ADMIN)));
      }
      if (role.equals(roles.readOnly())) {
        permissions.add(Permission.READ);
      }
      if (role.equals(roles.produceOnly())) {
        permissions.add(Permission.PRODUCE);
      }
      if (role.equals(roles.consumeOnly())) {
        permissions.add(Permission.CONSUME);
      }
    }
    return permissions;
  }

  /** A malformed limit must not mean "no limit". */
  private QueueLimit queues(JwtClaims claims) {
    String name = config.queuesClaim();
    return claims.getClaimsMap().containsKey(name) ? names(claims, name) : new QueueLimit.All();
  }

  /** Read only where queues are limited: other tokens may use these claims for something else. */
  private LabelLimit labels(JwtClaims claims, QueueLimit queues) {
    if (queues instanceof QueueLimit.All) {
      return LabelLimit.none();
    }
    String namespaces = config.namespacesClaim();
    String tasks = config.tasksClaim();
    boolean hasNamespaces = claims.getClaimsMap().containsKey(namespaces);
    boolean hasTasks = claims.getClaimsMap().containsKey(tasks);
    QueueLimit nothing = QueueLimit.of(List.of());
    return new LabelLimit(
        hasNamespaces ? names(claims, namespaces) : nothing,
        hasTasks ? names(claims, tasks) : nothing,
        hasNamespaces || hasTasks);
  }

  private static QueueLimit names(JwtClaims claims, String name) {
    @Nullable Object value = claims.getClaimValue(name);
    List<String> patterns = texts(value);
    boolean whole =
        value instanceof String
            || (value instanceof Collection<?> all && all.size() == patterns.size());
    if (!whole) {
      throw malformed(name);
    }
    return QueueLimit.of(patterns);
  }

  /** The text, or those of an array; what is none is left out. */
  private static List<String> texts(@Nullable Object value) {
    if (value instanceof String text) {
      return List.of(text);
    }
    if (value instanceof Collection<?> all) {
      return all.stream().filter(String.class::isInstance).map(String.class::cast).toList();
    }
    return List.of();
  }

  private static AuthException malformed(String claim) {
    return AuthException.invalid("Token decode error: bad claim " + DisplayText.shortened(claim));
  }
}
