package dev.queenmq.server.sharedstate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.sharedstate.MaintenanceFlags.Flag;
import dev.queenmq.server.sharedstate.MaintenanceFlags.Flags;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MaintenanceFlagsTest {
  private final ManualClock clock = new ManualClock();
  private final List<String> told = new ArrayList<>();
  private final MaintenanceFlags flags =
      new MaintenanceFlags(clock, (all, pops) -> told.add(all + " " + pops));

  @Test
  void laterSwitch_wins_inEitherOrder() {
    flags.setMaintenance(new Flag(true, 20));
    flags.setMaintenance(new Flag(false, 10));
    assertThat(flags.maintenance()).isTrue();
    flags.setMaintenance(new Flag(false, 30));
    flags.setPopMaintenance(new Flag(true, 5));
    assertThat(flags.maintenance()).isFalse();
    assertThat(flags.popMaintenance()).isTrue();
    assertThat(told).containsExactly("true false", "false false", "false true");
  }

  @Test
  void atTheSameTime_onWins_inEitherOrder() {
    flags.setMaintenance(new Flag(true, 20));
    flags.setMaintenance(new Flag(false, 20));
    flags.setPopMaintenance(new Flag(false, 20));
    flags.setPopMaintenance(new Flag(true, 20));
    assertThat(flags.maintenance()).isTrue();
    assertThat(flags.popMaintenance()).isTrue();
  }

  @Test
  void refresh_winsOverWhatWasHeardBefore_notOverWhatCameMeanwhile() {
    flags.setMaintenance(new Flag(true, Long.MAX_VALUE));
    clock.advance(1);
    CompletableFuture<Flags> database = new CompletableFuture<>();
    CompletableFuture<Void> done = flags.refresh(() -> database).toCompletableFuture();
    flags.setPopMaintenance(new Flag(true, 40));
    database.complete(
        new Flags(Optional.of(new Flag(false, 30)), Optional.of(new Flag(false, 30))));
    assertThat(done).isCompleted();
    assertThat(flags.maintenance()).isFalse();
    assertThat(flags.popMaintenance()).isTrue();
    assertThat(told).containsExactly("true false", "true true", "false true");
  }
}
