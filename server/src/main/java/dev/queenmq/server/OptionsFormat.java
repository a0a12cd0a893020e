package dev.queenmq.server;

import dev.queenmq.server.sharedstate.SettingsFormat;
import dev.queenmq.server.store.QueueOptions;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Optional;

/** The options of a queue on their way to other brokers, by their names in the HTTP contract. */
final class OptionsFormat implements SettingsFormat<QueueOptions> {

  @Override
  public Map<String, Object> fields(QueueOptions options) {
    return options.toJson().getMap();
  }

  @Override
  public Optional<QueueOptions> settings(Map<String, Object> fields) {
    try {
      return Optional.of(QueueOptions.of(new JsonObject(fields)));
    } catch (ClassCastException e) {
      // A newer broker, perhaps: the next reading from the database will tell.
      return Optional.empty();
    }
  }
}
