package dev.queenmq.server.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compares what was typed and answered here with what a page says, where ids and times differ. */
public final class Transcript {
  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final Pattern MOMENT =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
  private static final Pattern VARIABLE =
      Pattern.compile("(?<id>" + ID + ")|(?<moment>" + MOMENT + ")|(?<dots>\\.\\.\\.)");

  /** A command, and the answer that the page shows. */
  public record Step(String command, String answer) {}

  private final Map<String, String> idsHere = new HashMap<>();

  /** The steps of a block: a command may go on in further lines as long as a quote is open. */
  public static List<Step> steps(String block) {
    List<Step> steps = new ArrayList<>();
    StringBuilder command = new StringBuilder();
    StringBuilder answer = new StringBuilder();
    for (String line : block.lines().toList()) {
      boolean continued = command.chars().filter(c -> c == '\'').count() % 2 == 1;
      if (continued) {
        command.append('\n').append(line);
      } else if (line.startsWith("$ ")) {
        if (!command.isEmpty()) {
          steps.add(new Step(command.toString(), answer.toString()));
        }
        command = new StringBuilder(line.substring(2));
        answer = new StringBuilder();
      } else {
        answer.append(line).append('\n');
      }
    }
    steps.add(new Step(command.toString(), answer.toString()));
    return steps;
  }

  /** A command of the page, about what exists here. */
  public String asHere(String command) {
    return ID.matcher(command)
        .replaceAll(id -> Matcher.quoteReplacement(idsHere.getOrDefault(id.group(), id.group())));
  }

  /** The answer says what the page says. */
  public void compare(Step step, String answer) {
    List<String> ids = new ArrayList<>();
    Matcher here = Pattern.compile(pattern(packed(step.answer()), ids)).matcher(packed(answer));
    assertThat(here.matches())
        .as("%s%nis answered%n%s%nnot%n%s", step.command(), answer, step.answer())
        .isTrue();
    for (int i = 0; i < ids.size(); i++) {
      String id = here.group("id" + i);
      idsHere.putIfAbsent(ids.get(i), id);
      assertThat(id)
          .as("%s, in the answer to %s", ids.get(i), step.command())
          .isEqualTo(idsHere.get(ids.get(i)));
    }
  }

  private static String pattern(String documented, List<String> ids) {
    StringBuilder pattern = new StringBuilder();
    int end = 0;
    Matcher variables = VARIABLE.matcher(documented);
    while (variables.find()) {
      pattern.append(Pattern.quote(documented.substring(end, variables.start())));
      end = variables.end();
      if (variables.group("id") != null) {
        pattern.append("(?<id").append(ids.size()).append('>').append(ID).append(')');
        ids.add(variables.group());
      } else {
        pattern.append(variables.group("dots") != null ? ".*" : MOMENT.pattern());
      }
    }
    return pattern.append(Pattern.quote(documented.substring(end))).toString();
  }

  /** Pages break long lines; answers do not. */
  private static String packed(String text) {
    return text.replaceAll("\\s+", "");
  }
}
