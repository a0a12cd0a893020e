/** Payloads under memory pressure: what was answered is stored byte for byte. */
@NullMarked
package dev.queenmq.bench.integrity;

import org.jspecify.annotations.NullMarked;
