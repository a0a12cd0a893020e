/**
 * The audit through real sockets: producers and consumers who cut their connections, die, come late
 * and repeat themselves, while a ledger keeps count of every message by its id and says what the
 * broker did wrong.
 */
@NullMarked
package dev.queenmq.bench.httpaudit;

import org.jspecify.annotations.NullMarked;
