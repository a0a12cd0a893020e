/**
 * What the operator chose: one record tree, read once from the environment. Knows no other package.
 */
@NullMarked
package dev.queenmq.server.config;

import org.jspecify.annotations.NullMarked;
