package dev.queenmq.server.auth;

import dev.queenmq.server.config.values.TokenAlgorithm;
import java.security.Key;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Has the keys that tokens may be signed with. Safe for use by several threads. */
interface KeySource {

  /** What it can say now, without waiting. */
  sealed interface Found {
    /** The keys that this may be signed with, of the right kind; one of them is enough. */
    record Keys(List<Key> keys) implements Found {
      /** Copies the list. */
      public Keys {
        keys = List.copyOf(keys);
      }
    }

    /** There are keys for this algorithm, but none of that id. */
    record UnknownKeyId() implements Found {}

    /** There will never be a key for this algorithm. */
    record UnknownAlgorithm() implements Found {}

    /** There are no keys yet. */
    record NotYet() implements Found {}
  }

  /** The keys for a token with this head. */
  Found find(TokenAlgorithm algorithm, Optional<String> keyId);

  /** Ends when it has looked for new keys, or has found that it need not: never with a failure. */
  CompletionStage<Void> lookForMore();

  /** Another number whenever the keys are others: what was found good before counts no more. */
  int generation();
}
