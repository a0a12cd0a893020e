/** A sample application, which docs/spring.md explains. */
@org.jspecify.annotations.NullMarked
package dev.queenmq.spring.sample;
