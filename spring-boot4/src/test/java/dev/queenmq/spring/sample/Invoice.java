package dev.queenmq.spring.sample;

/** What a customer owes. */
public record Invoice(int order) {}
