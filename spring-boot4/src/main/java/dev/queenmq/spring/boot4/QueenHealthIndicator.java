package dev.queenmq.spring.boot4;

import dev.queenmq.spring.autoconfigure.BrokerHealth;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Shows whether a broker answers and has its database. */
public final class QueenHealthIndicator extends AbstractHealthIndicator {
  private final BrokerHealth health;

  /**
   * An indicator.
   *
   * @param health asks a broker
   */
  public QueenHealthIndicator(BrokerHealth health) {
    super("The health of the Queen MQ broker could not be checked");
    this.health = health;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) throws Exception {
    BrokerHealth.Result result = health.check();
    (result.isUp() ? builder.up() : builder.down()).withDetails(result.details());
  }
}
