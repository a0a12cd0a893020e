package dev.queenmq.spring;

import dev.queenmq.client.QueenClient;

/**
 * Changes the auto-configured client before it is made: a token supplier, interceptors, a mapper
 * for payloads. Make it a bean; several are called in their {@code @Order}, after the properties.
 */
@FunctionalInterface
public interface QueenClientCustomizer {

  /**
   * Changes the client.
   *
   * @param builder has the values of the properties already
   */
  void customize(QueenClient.Builder builder);
}
