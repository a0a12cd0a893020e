package dev.queenmq.server.store.modeltest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.migration.Migrations;
import dev.queenmq.server.store.PlainCalls;
import dev.queenmq.server.store.PushCounter;
import dev.queenmq.server.store.ack.LeaseMemory;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.testing.Await;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Random sequences of all operations, on the procedures and on a model: every answer must agree.
 *
 * <p>{@code -Dqueen.model.sequences=N} runs N of them, {@code -Dqueen.model.seed=S} starts with
 * this seed; the sequence of a seed is always the same. A sequence that fails is made smaller in at
 * most {@code -Dqueen.model.shrink=M} runs.
 */
@ExtendWith(PostgresExtension.class)
class StoreModelIT {
  private static final Logger LOG = LoggerFactory.getLogger(StoreModelIT.class);
  private static final int SEQUENCES = Integer.getInteger("queen.model.sequences", 250);
  private static final long FIRST_SEED = Long.getLong("queen.model.seed", 1);
  private static final int RUNNERS = 2;
  private static final int SHRINKING_RUNS = Integer.getInteger("queen.model.shrink", 300);

  /** Cuts small segments, so that few messages fill several. */
  private static final StoreOptions FIRST_BROKER =
      new StoreOptions((short) 0, 3, 2000, 20_000, 1000, 1_000_000, 1 << 20, true);

  /** Has a short memory, and reads it from the store when there is more than a little to know. */
  private static final StoreOptions SECOND_BROKER =
      new StoreOptions((short) 0, 4, 2000, 6, 3, 40, 8000, true);

  StoreModelIT() {}

  @Test
  void store_answersAsTheModelDoes(TestDatabase database)
      throws InterruptedException, ExecutionException {
    Await.await(Migrations.run(database.vertx(), database.options(), System::nanoTime));
    VirtualTime.install(database);
    AtomicLong seeds = new AtomicLong(FIRST_SEED);
    AtomicBoolean failed = new AtomicBoolean();
    AtomicLong steps = new AtomicLong();
    PushCounter.Counts pushes = new PushCounter.Counts();
    PlainCalls calls =
        new PlainCalls(
            "pop_one",
            "pop_one_recent",
            "pop_several",
            "push_and_lease",
            "ack_range",
            "ack_ranges",
            "ack_by_ids");
    ExecutorService executor = Executors.newFixedThreadPool(RUNNERS);
    try {
      List<Future<Optional<String>>> runners =
          IntStream.range(0, RUNNERS)
              .mapToObj(
                  i ->
                      executor.submit(
                          () ->
                              run(database, "run" + i + "-", seeds, failed, steps, pushes, calls)))
              .toList();
      for (Future<Optional<String>> runner : runners) {
        assertThat(runner.get()).isEmpty();
      }
    } finally {
      executor.shutdownNow();
    }
    LOG.info("{} sequences from seed {}: {} steps agree; {}", SEQUENCES, FIRST_SEED, steps, pushes);
    LOG.info("Pops and acks: {}", calls);
    if (SEQUENCES >= 200) {
      assertThat(calls.counted())
          .allSatisfy(each -> assertThat(each.settled()).as(each.name()).hasPositiveValue());
    }
    if (SEQUENCES >= 50) {
      assertThat(pushes.one().sum()).as("plain pushes of one segment").isPositive();
      assertThat(pushes.several().sum()).as("plain pushes of several").isPositive();
      assertThat(pushes.missed().sum()).as("plain pushes in vain").isPositive();
      assertThat(pushes.procedure().sum()).as("pushes by procedure").isPositive();
    }
  }

  private static Optional<String> run(
      TestDatabase database,
      String name,
      AtomicLong seeds,
      AtomicBoolean failed,
      AtomicLong steps,
      PushCounter.Counts pushes,
      PlainCalls calls) {
    // Two stores of one broker remember leases together, those of two brokers do not.
    LeaseMemory leases = new LeaseMemory(InstantSource.system());
    LeaseMemory others = name.startsWith("run0") ? leases : new LeaseMemory(InstantSource.system());
    try (ModelBroker one = new ModelBroker(database, FIRST_BROKER, leases, pushes, calls);
        ModelBroker two = new ModelBroker(database, SECOND_BROKER, others, pushes, calls)) {
      one.itIs(SequenceGenerator.START);
      SequenceRunner runner = new SequenceRunner(List.of(one, two), name);
      while (!failed.get()) {
        long seed = seeds.getAndIncrement();
        if (seed >= FIRST_SEED + SEQUENCES) {
          break;
        }
        List<Step> sequence = SequenceGenerator.sequence(seed);
        Optional<Difference> difference = runner.run(sequence);
        if (difference.isPresent()) {
          failed.set(true);
          return Optional.of(report(seed, sequence, difference.get(), runner));
        }
      }
      steps.addAndGet(runner.steps());
      return Optional.empty();
    }
  }

  private static String report(
      long seed, List<Step> sequence, Difference difference, SequenceRunner runner) {
    List<Step> reached = sequence.subList(0, Math.min(difference.step() + 1, sequence.size()));
    List<Step> smallest = runner.shrink(reached, difference.what(), SHRINKING_RUNS);
    Difference last = runner.run(smallest).orElse(difference);
    return String.format(
        "The store and the model part at seed %d, step %d of %d.%n"
            + "To run this sequence alone:%n"
            + "  mvn -pl server-it -am verify -Dtest=none -Dit.test=StoreModelIT"
            + " -Dqueen.model.seed=%d -Dqueen.model.sequences=1%n"
            + "%d steps are enough to see it:%n%s"
            + "At step %d, %s:%n  expected %s%n  but was  %s%n",
        seed,
        difference.step(),
        sequence.size(),
        seed,
        smallest.size(),
        StepText.of(smallest),
        last.step(),
        last.what(),
        StepText.readable(last.expected()),
        StepText.readable(last.actual()));
  }
}
