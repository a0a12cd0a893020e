package dev.queenmq.server.auth;

import java.util.Map;
import java.util.Optional;

/**
 * An administrative action, or an attempt at one.
 *
 * @param subject of the token
 * @param client the address that it came from
 * @param route the template of the path
 * @param parameters what it was done to; no payloads
 * @param status of the answer; 0 if the client was gone before it
 */
public record AuditEntry(
    Optional<String> subject,
    String client,
    String method,
    String route,
    Map<String, String> parameters,
    int status) {}
