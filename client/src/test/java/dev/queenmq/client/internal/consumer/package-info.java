/** Tests of the decisions of consumers, in virtual time. */
@NullMarked
package dev.queenmq.client.internal.consumer;

import org.jspecify.annotations.NullMarked;
