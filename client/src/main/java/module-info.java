/** The client of Queen MQ. Start at {@link dev.queenmq.client.QueenClient}. */
module dev.queenmq.client {
  requires transitive com.fasterxml.jackson.databind;
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.datatype.jsr310;
  requires java.net.http;
  requires org.slf4j;
  requires static transitive org.jspecify;

  exports dev.queenmq.client;
  exports dev.queenmq.client.admin;
}
