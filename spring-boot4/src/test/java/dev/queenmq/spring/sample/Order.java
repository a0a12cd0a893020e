package dev.queenmq.spring.sample;

/** What a customer wants. */
public record Order(int id, String customer, String item) {}
