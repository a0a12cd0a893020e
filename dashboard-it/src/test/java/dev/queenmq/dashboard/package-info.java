/** The dashboard as people see it, in a real browser. */
package dev.queenmq.dashboard;
