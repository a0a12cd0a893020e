package dev.queenmq.server.store.modeltest;

import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Writes steps and answers for people. */
final class StepText {
  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final String[] NOISE = {
    ", traceId=null",
    ", producerSub=null",
    ", encrypted=false",
    ", holder=LeaseHolder\\[[^\\]]*\\]",
    "[a-zA-Z]+=null, ",
    " {20,}"
  };
  private static final int DELETIONS = 5;

  private StepText() {}

  /** The steps, numbered. */
  static String of(List<Step> steps) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < steps.size(); i++) {
      text.append(String.format("%4d  %s%n", i, readable(steps.get(i).toString())));
    }
    return text.toString();
  }

  static String readable(String text) {
    String plain = text.replace("\0", "\\0");
    for (String noise : NOISE) {
      plain = plain.replaceAll(noise, "");
    }
    plain = plain.replaceAll("Optional\\[([^\\[\\]]*)\\]", "$1").replace("Optional.empty", "-");
    return ID.matcher(plain)
        .replaceAll(match -> Matcher.quoteReplacement(name(UUID.fromString(match.group()))));
  }

  private static String name(UUID id) {
    if (id.getMostSignificantBits() >>> 32
        == ModelPop.leaseId(0, 0).getMostSignificantBits() >>> 32) {
      return "lease-" + (int) id.getMostSignificantBits() + "-" + id.getLeastSignificantBits();
    }
    if (id.getMostSignificantBits() == MessageGenerator.MESSAGES) {
      return "m" + id.getLeastSignificantBits();
    }
    return partitions()
        .filter(p -> p.id.equals(id))
        .map(StepText::name)
        .findFirst()
        .orElse(id.toString());
  }

  private static String name(ModelPartition partition) {
    return partition.queue + "/" + partition.name;
  }

  private static Stream<ModelPartition> partitions() {
    ModelState state = new ModelState(SequenceGenerator.START);
    Stream.Builder<ModelPartition> partitions = Stream.builder();
    for (int i = 0; i < DELETIONS; i++) {
      for (String queue : List.of("a", "b.c")) {
        for (String name : List.of("Default", "p0", "p1", "p2", "p3")) {
          partitions.add(state.make(queue, name));
        }
        state.delete(queue);
      }
    }
    return partitions.build();
  }
}
