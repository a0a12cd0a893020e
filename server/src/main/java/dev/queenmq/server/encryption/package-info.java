/**
 * Payloads at rest: AES-256-GCM with the operator's key, the form in which they are stored, and how
 * they are shown. Knows neither HTTP nor SQL.
 */
@NullMarked
package dev.queenmq.server.encryption;

import org.jspecify.annotations.NullMarked;
