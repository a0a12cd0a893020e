/** A broker as its clients see it: an address, requests and answers, and the process behind it. */
@NullMarked
package dev.queenmq.bench.broker;

import org.jspecify.annotations.NullMarked;
