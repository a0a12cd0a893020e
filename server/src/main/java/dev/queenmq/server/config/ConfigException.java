package dev.queenmq.server.config;

import java.util.List;

/** The operator's choice cannot be followed; the message lists every mistake. */
public final class ConfigException extends RuntimeException {

  ConfigException(List<String> mistakes) {
    super(String.join("; ", mistakes));
  }
}
