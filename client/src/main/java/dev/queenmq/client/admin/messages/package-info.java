/** Stored messages: their details, dead letters and traces. */
@NullMarked
package dev.queenmq.client.admin.messages;

import org.jspecify.annotations.NullMarked;
