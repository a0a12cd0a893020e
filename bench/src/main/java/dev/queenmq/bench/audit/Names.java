package dev.queenmq.bench.audit;

/**
 * What things are called in an audit.
 *
 * @param queue of this audit alone
 */
record Names(String queue) {
  private static final String GROUP = "group-";

  /** Where copies go. */
  String copies() {
    return queue + "-copies";
  }

  static String partition(int index) {
    return "p-" + index;
  }

  static String group(int index) {
    return GROUP + index;
  }

  /** Which group it is; -1: none of ours. */
  static int groupIndex(String name) {
    return name.startsWith(GROUP) ? Integer.parseInt(name.substring(GROUP.length())) : -1;
  }
}
