package dev.queenmq.bench.audit.ledger;

/**
 * What things are called in an audit.
 *
 * @param queue of this audit alone
 */
public record Names(String queue) {
  private static final String GROUP = "group-";

  /** Where copies go. */
  public String copies() {
    return queue + "-copies";
  }

  public static String partition(int index) {
    return "p-" + index;
  }

  public static String group(int index) {
    return GROUP + index;
  }

  /** Which group it is; -1: none of ours. */
  public static int groupIndex(String name) {
    return name.startsWith(GROUP) ? Integer.parseInt(name.substring(GROUP.length())) : -1;
  }
}
