package dev.queenmq.bench.cluster;

import dev.queenmq.bench.BenchPostgresExtension;
import dev.queenmq.bench.TestSeed;
import dev.queenmq.bench.broker.BrokerProcess;
import java.util.Map;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test that asks for it the {@link Brokers} of this run: three processes on one PostgreSQL
 * that start with the first such test. Each test finds all of them up, in touch with each other and
 * told nothing but the truth, whatever the one before has done.
 */
final class ClusterExtension implements ParameterResolver, BeforeEachCallback {

  /** They live for seconds, and share the processors with each other. */
  private static final String QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  ClusterExtension() {}

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Brokers.class;
  }

  @Override
  public Brokers resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return brokers(context);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    brokers(context).repair();
  }

  private static Brokers brokers(ExtensionContext context) {
    return context
        .getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(ClusterExtension.class))
        .computeIfAbsent(Brokers.class, key -> new Brokers(start()), Brokers.class);
  }

  private static Cluster start() {
    Cluster cluster =
        Cluster.start(
            BenchPostgresExtension.options(),
            new Cluster.Plan(
                BrokerProcess.builtJar(),
                3,
                Sync.LIED_TO,
                Map.of("NUM_WORKERS", "1", "JAVA_TOOL_OPTIONS", QUICK_START),
                Map.of(
                    Brokers.name(Brokers.A),
                    Map.of(
                        "POP_WAIT_INITIAL_INTERVAL_MS", Brokers.NEVER,
                        "POP_WAIT_MAX_INTERVAL_MS", Brokers.NEVER,
                        "QUEEN_CACHE_REFRESH_INTERVAL_MS", Brokers.NEVER),
                    Brokers.name(Brokers.B),
                    Map.of("QUEEN_CACHE_REFRESH_INTERVAL_MS", Brokers.NEVER),
                    Brokers.name(Brokers.C),
                    Map.of(
                        "QUEEN_CACHE_REFRESH_INTERVAL_MS",
                        Long.toString(Brokers.REFRESH_OF_C.toMillis()))),
                TestSeed.of(ClusterExtension.class)));
    cluster.lie(false);
    return cluster;
  }
}
