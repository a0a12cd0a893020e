/** What a consumer decides, without threads, sockets or a clock. */
@NullMarked
package dev.queenmq.client.internal.consumer;

import org.jspecify.annotations.NullMarked;
