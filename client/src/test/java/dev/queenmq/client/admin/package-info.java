/** Tests of what operators do, against a real broker. */
@NullMarked
package dev.queenmq.client.admin;

import org.jspecify.annotations.NullMarked;
