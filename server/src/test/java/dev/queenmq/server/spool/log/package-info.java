/** The files of the spool, on disks that fail, lose power, and lie. */
@NullMarked
package dev.queenmq.server.spool.log;

import org.jspecify.annotations.NullMarked;
