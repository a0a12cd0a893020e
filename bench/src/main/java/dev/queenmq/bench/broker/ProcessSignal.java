package dev.queenmq.bench.broker;

import java.util.ArrayList;
import java.util.List;

/** A signal that Java cannot send by itself. */
public enum ProcessSignal {
  STOP,
  CONT,
  QUIT,
  KILL;

  /** Sends it to a process; one that has ended does not mind. */
  public void send(long pid) {
    send(List.of(pid));
  }

  /** Sends it to all of them at once. */
  public void send(List<Long> pids) {
    if (!pids.isEmpty()) {
      List<String> words = new ArrayList<>(List.of("kill", "-s", name()));
      pids.forEach(pid -> words.add(Long.toString(pid)));
      Commands.run(words);
    }
  }
}
