package dev.queenmq.testkit.tour;

record Order(int id, String item) {}
