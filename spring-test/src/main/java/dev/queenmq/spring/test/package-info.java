/** A broker for tests of Spring applications. */
@NullMarked
package dev.queenmq.spring.test;

import org.jspecify.annotations.NullMarked;
