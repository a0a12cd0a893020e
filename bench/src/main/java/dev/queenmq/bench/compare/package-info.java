/**
 * Measures this broker and what people use instead, in turn, with the same work. Systems whose
 * client libraries are large are in a module of their own, which is found if it is on the class
 * path.
 */
@NullMarked
package dev.queenmq.bench.compare;

import org.jspecify.annotations.NullMarked;
