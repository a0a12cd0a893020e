/** One broker: its health, settings in force and background jobs. */
@NullMarked
package dev.queenmq.client.admin.system;

import org.jspecify.annotations.NullMarked;
