package dev.queenmq.server.store;

import dev.queenmq.server.model.StoreException;
import java.io.IOException;

/** Failures of the store, for tests of those who call it. */
public final class StoreFailures {

  private StoreFailures() {}

  /** One of a kind; its text is the name of the kind. */
  public static StoreException of(StoreException.Kind kind) {
    return new StoreException(kind, kind.name(), new IOException("made up"));
  }
}
