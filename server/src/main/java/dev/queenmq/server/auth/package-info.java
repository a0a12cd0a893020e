/**
 * Authentication and authorization. Knows neither routes nor SQL.
 *
 * <p>{@link dev.queenmq.server.auth.Authenticator} turns the text of an {@code Authorization}
 * header into a {@link dev.queenmq.server.auth.Caller}: a {@code Token} is taken apart, a {@code
 * KeySource} has the keys that may have signed it, {@code ClaimRules} checks its claims. {@link
 * dev.queenmq.server.auth.Access} is what a route asks of a caller, and {@link
 * dev.queenmq.server.auth.AuditLog} remembers who did what.
 */
@NullMarked
package dev.queenmq.server.auth;

import org.jspecify.annotations.NullMarked;
