package dev.queenmq.cli.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How many to show or to take: a list of none would look as if there were none. */
public final class Count implements ITypeConverter<Integer> {

  @Override
  public Integer convert(String text) {
    try {
      int number = Integer.parseInt(text);
      if (number >= 1) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw new TypeConversionException("'" + text + "' is not a number from 1 on");
  }
}
