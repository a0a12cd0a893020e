/**
 * The message store: every statement that touches messages, cursors and queues, one class per
 * stored procedure. Records in, records out, all of it asynchronous. Nothing above this package
 * writes SQL for messages, and nothing here knows HTTP.
 */
@NullMarked
package dev.queenmq.server.store;

import org.jspecify.annotations.NullMarked;
