@org.jspecify.annotations.NullMarked
package dev.queenmq.spring.listener;
