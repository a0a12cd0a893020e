@NullMarked
package dev.queenmq.testkit;

import org.jspecify.annotations.NullMarked;
