/** What a broker tells those who watch it: figures of its sidecars and of its process, as text. */
@NullMarked
package dev.queenmq.server.metrics;

import org.jspecify.annotations.NullMarked;
