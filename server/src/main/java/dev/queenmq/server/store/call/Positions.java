package dev.queenmq.server.store.call;

import java.util.Arrays;

/** Positions in a list. An array of numbers: an object for each would cost more than the rest. */
public final class Positions {
  private static final int SMALLEST = 8;

  private int[] values;
  private int size;

  /** None yet. */
  public Positions() {
    this(0);
  }

  /** None yet, with room for some. */
  public Positions(int room) {
    values = new int[room];
  }

  /** All of a list of this size. */
  public static Positions all(int size) {
    Positions all = new Positions(size);
    for (int i = 0; i < size; i++) {
      all.add(i);
    }
    return all;
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public int get(int index) {
    return values[index];
  }

  public void add(int position) {
    if (size == values.length) {
      values = Arrays.copyOf(values, Math.max(SMALLEST, 2 * size));
    }
    values[size++] = position;
  }

  public void addAll(Positions others) {
    reserve(others.size);
    System.arraycopy(others.values, 0, values, size, others.size);
    size += others.size;
  }

  /** Makes room for some more. */
  public void reserve(int more) {
    if (size + more > values.length) {
      values = Arrays.copyOf(values, size + more);
    }
  }

  /** Brings them into the order of the list. */
  public void sort() {
    Arrays.sort(values, 0, size);
  }
}
