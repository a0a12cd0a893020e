package dev.queenmq.server.store.modeltest;

/**
 * Where the store and the model part.
 *
 * @param step how many steps went well before
 * @param what what was compared
 */
record Difference(int step, String what, String expected, String actual) {

  static Difference at(int step, String what, Object expected, Object actual) {
    return new Difference(step, what, expected.toString(), actual.toString());
  }
}
