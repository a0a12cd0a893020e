/** What Spring Boot 4 has in places of its own. */
@NullMarked
package dev.queenmq.spring.boot4;

import org.jspecify.annotations.NullMarked;
