package dev.queenmq.client.admin.query;

/**
 * Which part of a list to ask for.
 *
 * @param limit at most this many elements; 0 leaves the number to the broker
 * @param offset how many elements to skip
 */
public record Paging(int limit, long offset) {

  /**
   * Checks the numbers.
   *
   * @param limit at most this many elements; 0 leaves the number to the broker
   * @param offset how many elements to skip
   */
  public Paging {
    if (limit < 0 || offset < 0) {
      throw new IllegalArgumentException("limit and offset must not be negative");
    }
  }

  /**
   * The first page, as long as the broker makes it.
   *
   * @return the page
   */
  public static Paging first() {
    return new Paging(0, 0);
  }

  /**
   * The first page with at most this many elements.
   *
   * @param limit how many
   * @return the page
   */
  public static Paging of(int limit) {
    return new Paging(limit, 0);
  }

  /**
   * A page with at most this many elements, behind others.
   *
   * @param limit how many
   * @param offset how many to skip
   * @return the page
   */
  public static Paging of(int limit, long offset) {
    return new Paging(limit, offset);
  }
}
