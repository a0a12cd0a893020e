/** Far more requests than a broker can serve: what becomes of them, of the others, and of it. */
@NullMarked
package dev.queenmq.bench.overload;

import org.jspecify.annotations.NullMarked;
