/**
 * The client of Queen MQ. Start at {@link dev.queenmq.client.QueenClient}.
 *
 * <p>Micrometer and OpenTelemetry are needed only to use the packages named after them.
 */
// Neither of the two is a named module yet.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.queenmq.client {
  requires transitive com.fasterxml.jackson.databind;
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.datatype.jsr310;
  requires java.net.http;
  requires org.slf4j;
  requires static transitive org.jspecify;
  requires static transitive micrometer.core;
  requires static transitive io.opentelemetry.api;
  requires static io.opentelemetry.context;

  exports dev.queenmq.client;
  exports dev.queenmq.client.admin;
  exports dev.queenmq.client.admin.groups;
  exports dev.queenmq.client.admin.messages;
  exports dev.queenmq.client.admin.query;
  exports dev.queenmq.client.admin.queues;
  exports dev.queenmq.client.admin.status;
  exports dev.queenmq.client.admin.streams;
  exports dev.queenmq.client.admin.system;
  exports dev.queenmq.client.micrometer;
  exports dev.queenmq.client.opentelemetry;
}
