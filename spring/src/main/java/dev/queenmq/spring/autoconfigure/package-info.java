/** What Spring Boot configures by itself, and the properties that change it. */
@NullMarked
package dev.queenmq.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
