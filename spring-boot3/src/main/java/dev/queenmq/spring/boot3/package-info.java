/** What Spring Boot 3 has in places of its own. */
@NullMarked
package dev.queenmq.spring.boot3;

import org.jspecify.annotations.NullMarked;
