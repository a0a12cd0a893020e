package dev.queenmq.server.http.routing;

import dev.queenmq.server.auth.AuthException;
import dev.queenmq.server.auth.LabelLimit;
import dev.queenmq.server.auth.QueueLimit;
import dev.queenmq.server.model.QueueLabels;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.QueueOptions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a token that is limited to some queues may say about their labels and priority.
 *
 * <p>It may always say what the queue has. A queue without a label may get the one that its dotted
 * name gives it when a push creates it: the name is within the limit. Everything else needs a
 * claim.
 */
final class LabelRules {
  private LabelRules() {}

  /**
   * The configuration with labels and priority as the caller may set them.
   *
   * @param found what the queue has; empty if there is no such queue
   * @throws AuthException if the caller asks for more
   */
  static QueueConfiguration allowed(
      QueueConfiguration asked, Optional<QueueLabels> found, LabelLimit limit) {
    QueueLabels before =
        found.orElseGet(() -> new QueueLabels(nameLabel(asked, 0), nameLabel(asked, 1), 0));
    Optional<String> namespace =
        label("namespace", asked, 0, asked.namespace(), before.namespace(), found, limit);
    Optional<String> task = label("task", asked, 1, asked.task(), before.task(), found, limit);
    return new QueueConfiguration(
        asked.queue(),
        namespace,
        task,
        priority(
            asked,
            before,
            limit.priorities()
                && isWithin(limit.namespaces(), namespace.orElse(before.namespace()))
                && isWithin(limit.tasks(), task.orElse(before.task()))),
        asked.merge());
  }

  /** What is left as it is, is not sent: it may have changed in between. */
  private static Optional<String> label(
      String what,
      QueueConfiguration asked,
      int place,
      Optional<String> given,
      String before,
      Optional<QueueLabels> found,
      LabelLimit limit) {
    if (given.isEmpty() || (found.isPresent() && given.get().equals(before))) {
      return Optional.empty();
    }
    QueueLimit names = place == 0 ? limit.namespaces() : limit.tasks();
    boolean isFree =
        (found.isEmpty() || before.isEmpty())
            && (given.get().isEmpty() || given.get().equals(dotted(asked.queue(), place)));
    boolean isClaimed = isWithin(names, given.get()) && isWithin(names, before) && isGiven(names);
    if (!isFree && !isClaimed) {
      throw AuthException.forbiddenLabel(what);
    }
    return given;
  }

  private static QueueOptions priority(
      QueueConfiguration asked, QueueLabels before, boolean isClaimed) {
    @Nullable Integer given = asked.options().priority();
    if (isClaimed) {
      return asked.options();
    }
    if (given != null && given != before.priority()) {
      throw AuthException.forbiddenLabel("priority");
    }
    // Without it a configuration that replaces everything would take the queue's priority away.
    return QueueOptions.of(asked.options().toJson().put("priority", before.priority()));
  }

  private static boolean isWithin(QueueLimit names, String label) {
    return label.isEmpty() || names.allows(label);
  }

  private static boolean isGiven(QueueLimit names) {
    return !(names instanceof QueueLimit.Only only)
        || !only.names().isEmpty()
        || !only.prefixes().isEmpty();
  }

  /** A new queue has the label of its name only if nothing is replaced: see configure_v1. */
  private static String nameLabel(QueueConfiguration asked, int place) {
    return asked.merge() ? dotted(asked.queue(), place) : "";
  }

  private static String dotted(String queue, int place) {
    String[] parts = queue.split("\\.", -1);
    return place < parts.length ? parts[place] : "";
  }
}
