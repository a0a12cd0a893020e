package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.store.TailWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lets the store and a model take the same steps, and compares every answer. */
final class SequenceRunner {
  private final List<ModelBroker> brokers;
  private final TailWatch tail;
  private final String name;
  private int runs;
  private long steps;

  /**
   * A runner.
   *
   * @param name the queues of its runs start with it
   */
  SequenceRunner(List<ModelBroker> brokers, String name) {
    this.brokers = brokers;
    this.name = name;
    tail = new TailWatch(brokers.get(0).store());
  }

  /** How many steps were taken in all. */
  long steps() {
    return steps;
  }

  /** Runs a sequence from nothing, on queues of its own, and deletes them. */
  Optional<Difference> run(List<Step> sequence) {
    Translation names = new Translation(name + runs++ + "-");
    RealStore real = new RealStore(brokers, names, SequenceGenerator.START);
    ModelStore model = new ModelStore(SequenceGenerator.START, real::segments);
    FinalChecks checks = new FinalChecks(model, real, names, tail);
    Answers answers = new Answers(names);
    int taken = 0;
    try {
      for (; taken < sequence.size(); taken++) {
        Optional<Difference> difference = take(taken, sequence.get(taken), model, real, answers);
        if (difference.isPresent()) {
          return difference;
        }
      }
      return checks.run(sequence.size());
    } catch (AssertionError | RuntimeException e) {
      return Optional.of(Difference.at(taken, "a failure", "an answer", chain(e)));
    }
  }

  private static String chain(Throwable failure) {
    StringBuilder text = new StringBuilder();
    for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
      text.append(cause).append(" ");
    }
    return text.toString();
  }

  private Optional<Difference> take(
      int index, Step step, ModelStore model, RealStore real, Answers answers) {
    steps++;
    Object expected = model.take(step);
    Object actual = answers.translate(expected, real.take(step));
    return expected.equals(actual)
        ? Optional.empty()
        : Optional.of(
            Difference.at(
                index, "the answer to " + step.getClass().getSimpleName(), expected, actual));
  }

  /**
   * Drops steps as long as the store and the model differ in the same thing, in this number of
   * runs.
   */
  List<Step> shrink(List<Step> sequence, String what, int limit) {
    List<Step> smallest = sequence;
    int chunk = Math.max(1, sequence.size() / 2);
    int tries = 0;
    while (tries < limit) {
      boolean smaller = false;
      for (int start = 0; start < smallest.size() && tries < limit; ) {
        List<Step> candidate = new ArrayList<>(smallest);
        candidate.subList(start, Math.min(start + chunk, smallest.size())).clear();
        tries++;
        if (run(candidate).filter(difference -> difference.what().equals(what)).isPresent()) {
          smallest = candidate;
          smaller = true;
        } else {
          start += chunk;
        }
      }
      if (chunk == 1 && !smaller) {
        return smallest;
      }
      chunk = Math.max(1, chunk / 2);
    }
    return smallest;
  }
}
