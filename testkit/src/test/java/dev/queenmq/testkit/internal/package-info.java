@NullMarked
package dev.queenmq.testkit.internal;

import org.jspecify.annotations.NullMarked;
