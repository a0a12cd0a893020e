package dev.queenmq.server.http.json;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Reads whole numbers that may be written as a text, with a fraction of zeros or an exponent. */
public final class WholeNumber {
  // Longer ones are out of range, or take their time.
  private static final int LONGEST = 32;

  private WholeNumber() {}

  /** The number if it is one and fits, or null. */
  public static @Nullable Integer parse(String text) {
    String trimmed = text.trim();
    if (trimmed.isEmpty() || trimmed.length() > LONGEST) {
      return null;
    }
    try {
      return new BigDecimal(trimmed).intValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      return null;
    }
  }
}
