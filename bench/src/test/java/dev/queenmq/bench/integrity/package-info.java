/** Tests of payloads under memory pressure. */
@NullMarked
package dev.queenmq.bench.integrity;

import org.jspecify.annotations.NullMarked;
