package dev.queenmq.server.sharedstate;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The two switches of maintenance. The later switch wins; of two at the same time, the one that
 * turns it on. A cache: the database has the switches, and what a refresh reads wins over all
 * earlier packets. Thread-safe.
 */
public final class MaintenanceFlags {

  /** A switch, and when it was last moved. */
  public record Flag(boolean enabled, long timestamp) {
    /** Never moved. */
    public static final Flag OFF = new Flag(false, Long.MIN_VALUE);

    boolean beats(Flag other) {
      return timestamp > other.timestamp
          || (timestamp == other.timestamp && enabled && !other.enabled);
    }
  }

  /** Both switches as the database has them; empty for one that was never set. */
  public record Flags(Optional<Flag> maintenance, Optional<Flag> popMaintenance) {}

  /** Called when a switch has changed, on the thread that received the change. */
  interface Listener {
    void moved(boolean maintenance, boolean popMaintenance);
  }

  private record Heard(Flag flag, long at) {}

  private final AtomicReference<Heard> maintenance;
  private final AtomicReference<Heard> popMaintenance;
  private final LongSupplier clock;
  private final Listener listener;

  MaintenanceFlags(LongSupplier clock, Listener listener) {
    this.clock = clock;
    this.listener = listener;
    Heard nothing = new Heard(Flag.OFF, Long.MIN_VALUE);
    maintenance = new AtomicReference<>(nothing);
    popMaintenance = new AtomicReference<>(nothing);
  }

  /** Whether pushes are to be kept away from the database. */
  public boolean maintenance() {
    return enabled(maintenance);
  }

  /** Whether pops are to find nothing. */
  public boolean popMaintenance() {
    return enabled(popMaintenance);
  }

  private static boolean enabled(AtomicReference<Heard> place) {
    return Objects.requireNonNull(place.get()).flag.enabled;
  }

  void setMaintenance(Flag flag) {
    hear(maintenance, flag);
  }

  void setPopMaintenance(Flag flag) {
    hear(popMaintenance, flag);
  }

  private void hear(AtomicReference<Heard> place, Flag flag) {
    Heard heard = new Heard(flag, clock.getAsLong());
    Heard before = place.getAndUpdate(last -> flag.beats(last.flag) ? heard : last);
    notifyListeners(flag.beats(before.flag) && before.flag.enabled != flag.enabled);
  }

  /** Takes over what the database says. A failure changes nothing. */
  public CompletionStage<Void> refresh(Supplier<CompletionStage<Flags>> loader) {
    long begun = clock.getAsLong();
    return Futures.start(loader)
        .thenAccept(
            flags -> {
              boolean moved = read(maintenance, flags.maintenance.orElse(Flag.OFF), begun);
              moved |= read(popMaintenance, flags.popMaintenance.orElse(Flag.OFF), begun);
              notifyListeners(moved);
            });
  }

  private static boolean read(AtomicReference<Heard> place, Flag flag, long begun) {
    Heard before =
        place.getAndUpdate(
            last -> last.at < begun || flag.beats(last.flag) ? new Heard(flag, begun) : last);
    return (before.at < begun || flag.beats(before.flag)) && before.flag.enabled != flag.enabled;
  }

  private void notifyListeners(boolean moved) {
    if (moved) {
      listener.moved(maintenance(), popMaintenance());
    }
  }
}
