/**
 * The store against a simple model of it: random sequences of calls, the same answers from both.
 */
@NullMarked
package dev.queenmq.server.store.modeltest;

import org.jspecify.annotations.NullMarked;
