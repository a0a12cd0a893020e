/** How queues, brokers and PostgreSQL are doing, now and over time. */
@NullMarked
package dev.queenmq.client.admin.status;

import org.jspecify.annotations.NullMarked;
