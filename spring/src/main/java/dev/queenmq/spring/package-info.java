/**
 * Queen MQ in Spring applications: {@link dev.queenmq.spring.QueenListener} receives, {@link
 * dev.queenmq.spring.QueenTemplate} sends.
 */
@NullMarked
package dev.queenmq.spring;

import org.jspecify.annotations.NullMarked;
