/** Listeners, lifecycle, health and metrics against a real broker. */
@org.jspecify.annotations.NullMarked
package dev.queenmq.spring.it;
