package dev.queenmq.server.sharedstate;

import java.util.Map;
import java.util.Optional;

/** Settings that are a text. */
final class TextSettings implements SettingsFormat<String> {
  @Override
  public Map<String, Object> fields(String settings) {
    return Map.of("text", settings, "lease_time", 300);
  }

  @Override
  public Optional<String> settings(Map<String, Object> fields) {
    return fields.get("text") instanceof String text ? Optional.of(text) : Optional.empty();
  }
}
