package dev.queenmq.server.sharedstate;

import java.util.Map;
import java.util.Optional;

/** Settings of a queue as fields that other brokers can read. */
public interface SettingsFormat<S> {

  /** As texts, whole numbers and truth values by name. */
  Map<String, Object> fields(S settings);

  /** Back from the fields, where every whole number is a {@link Long}; nothing if they are odd. */
  Optional<S> settings(Map<String, Object> fields);
}
