/** Short audits. */
@NullMarked
package dev.queenmq.bench.audit;

import org.jspecify.annotations.NullMarked;
