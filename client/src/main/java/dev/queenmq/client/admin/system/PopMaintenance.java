package dev.queenmq.client.admin.system;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Whether pops find nothing.
 *
 * @param enabled whether they do, at all brokers
 * @param message for people
 */
public record PopMaintenance(@JsonProperty("popMaintenanceMode") boolean enabled, String message) {}
