/** The benchmark through HTTP runs. */
@NullMarked
package dev.queenmq.bench.http;

import org.jspecify.annotations.NullMarked;
