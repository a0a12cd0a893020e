/**
 * What brokers did, by the minute: written once a minute with one statement, read for charts. And
 * the sums over all partitions, which one of the brokers refreshes every few seconds.
 */
@NullMarked
package dev.queenmq.server.admin.history;

import org.jspecify.annotations.NullMarked;
