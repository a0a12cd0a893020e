/**
 * Brings the schema and the procedures in PostgreSQL up to what this release needs, next to brokers
 * of other releases.
 */
@NullMarked
package dev.queenmq.server.migration;

import org.jspecify.annotations.NullMarked;
