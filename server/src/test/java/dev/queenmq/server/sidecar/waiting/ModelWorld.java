package dev.queenmq.server.sidecar.waiting;

import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.Polled.EmptyReason;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.polling.ReconcilePage;
import dev.queenmq.server.sidecar.waiting.ModelStore.Cursor;
import dev.queenmq.server.sidecar.waiting.ModelStore.Partition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/**
 * Some brokers on one model of PostgreSQL, with clients that send each request to any of them, in
 * virtual time. Packets are lost and false, answers and whole outages come as they like. What a
 * waiting room promises is checked at each step.
 */
final class ModelWorld {
  /** Of the longest statement. */
  private static final int SLOWEST = 40;

  /**
   * How long a message may lie free beside a poll that waits, without an outage: what is held is
   * doubted every 150 ms, at a tick of 50 ms, and then asked for.
   */
  private static final long BOUND = Claim.LIMIT_MILLIS + 150 + 2 * 50 + 8 * SLOWEST;

  /** The same if pops were paused, whose end another broker finds out by trying. */
  private static final long PAUSE_BOUND = 1_000 + 300 + 4 * SLOWEST;

  /** The same where one broker hears of everything: two questions, and what brings the news. */
  private static final long CALM_BOUND = Claim.LIMIT_MILLIS + 8 * SLOWEST;

  private static final List<String> QUEUES = List.of("a", "b");
  private static final List<String> GROUPS = List.of("g", "h");

  private record Event(long at, long serial, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(serial, other.serial);
    }
  }

  /** A poll that has no answer yet. */
  private record Open(Broker broker, Waiter waiter, long since) {}

  /** How a world is. */
  record Manner(
      int brokers,
      int partitions,
      long lease,
      double loss,
      double lies,
      boolean udp,
      boolean calm) {
    static Manner any(Random random) {
      // In a calm world there is one broker, and nothing is lost: then nothing may take long.
      boolean calm = random.nextInt(4) == 0;
      return new Manner(
          calm ? 1 : 1 + random.nextInt(3),
          1 + random.nextInt(6),
          100 + random.nextInt(5_000),
          random.nextBoolean() ? 0 : random.nextDouble(),
          calm || random.nextBoolean() ? 0 : random.nextDouble() * 0.3,
          random.nextBoolean(),
          calm);
    }
  }

  private final Random random;
  private final Manner manner;
  private final ModelStore store;
  private final List<Broker> brokers = new ArrayList<>();
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Map<Waiter, Open> open = new LinkedHashMap<>();
  private final List<String> wrongs = new ArrayList<>();
  private long now;
  private long serial;
  private long counted;
  private long claims;
  private long handedOver;
  private long outageUntil;
  private long lastFailure = Long.MIN_VALUE;
  private long lastResume = -3 * PAUSE_BOUND;
  private boolean ending;

  ModelWorld(long seed) {
    random = new Random(seed);
    manner = Manner.any(random);
    store = new ModelStore(random, QUEUES, manner.partitions, GROUPS, manner.lease);
    for (int i = 0; i < manner.brokers; i++) {
      brokers.add(new Broker(i));
    }
  }

  Manner manner() {
    return manner;
  }

  long counted() {
    return counted;
  }

  long now() {
    return now;
  }

  /** How many polls were claimed by pushes. */
  long claims() {
    return claims;
  }

  /** How many of them got a lease. */
  long handedOver() {
    return handedOver;
  }

  /** Runs until this number of events have happened, then until every poll has left. */
  List<String> run(long howMany) {
    brokers.forEach(Broker::tick);
    for (int i = 0; i < 4; i++) {
      client();
    }
    producer();
    trouble();
    while (counted < howMany && wrongs.isEmpty()) {
      step();
    }
    ending = true;
    while (!open.isEmpty() && wrongs.isEmpty()) {
      step();
    }
    // Long enough that lists are forgotten.
    long end = now + 700_000;
    while (wrongs.isEmpty() && !events.isEmpty() && now < end) {
      step();
    }
    for (Broker broker : brokers) {
      if (wrongs.isEmpty() && broker.room.remembered() != 0) {
        wrong("broker " + broker.number + " remembers " + broker.room.remembered());
      }
      if (wrongs.isEmpty() && broker.announced != 0) {
        wrong("broker " + broker.number + " has announced " + broker.announced + " too many");
      }
    }
    return wrongs;
  }

  private void step() {
    Event next = events.remove();
    now = Math.max(now, next.at);
    store.observe(now);
    next.what.run();
    counted++;
    if (counted % 7 == 0) {
      check();
    }
  }

  /** A client that did not hear of the end asks again, perhaps when the poll is long answered. */
  private void endAgain(Open gone) {
    if (random.nextBoolean()) {
      at(delay(), () -> gone.broker.event(() -> gone.broker.room.end(gone.waiter, now)));
    }
  }

  private void check() {
    for (Open each : open.values()) {
      PollRequest request = each.waiter.request();
      long deadline = each.since + request.patience().toMillis();
      // A chunk of what is held, the tail, the pages, and what these bring.
      if (now > deadline + 12L * SLOWEST + 400 && now > lastFailure + 1_000) {
        wrong("a poll of " + request.target() + " is not answered at its deadline");
      }
      // The first contact and the pages take their time.
      if (each.waiter.state == WaiterState.WAITING
          && !each.waiter.announced
          && now > Math.max(each.since, lastFailure + 1_000) + 12L * SLOWEST) {
        wrong("others do not know of a poll of " + request.target() + " that waits");
      }
      if (now > lastFailure + BOUND + 1_000) {
        free(request, Math.max(each.since, lastFailure + 1_000))
            .filter(since -> now - since > bound())
            .ifPresent(
                since ->
                    wrong(
                        "a poll of %s waits though something has been free for %d ms"
                            .formatted(request.target(), now - since)));
      }
    }
  }

  private long bound() {
    if (manner.calm) {
      return CALM_BOUND;
    }
    return brokers.size() == 1 || now - lastResume < 2 * PAUSE_BOUND ? PAUSE_BOUND : BOUND;
  }

  /** Since when something has been free for a poll, not counting the time before a moment. */
  private Optional<Long> free(PollRequest request, long notBefore) {
    long oldest = ModelStore.NEVER;
    for (Partition each : store.partitions) {
      boolean wanted =
          request.target() instanceof PollTarget.Partition one
              ? one.queue().equals(each.queue) && one.partition().equals(each.name)
              : ((PollTarget.Queue) request.target()).queue().equals(each.queue);
      if (wanted) {
        oldest = Math.min(oldest, store.cursor(each, request.group()).freeSince);
      }
    }
    return oldest == ModelStore.NEVER ? Optional.empty() : Optional.of(Math.max(oldest, notBefore));
  }

  private void wrong(String text) {
    wrongs.add("at %d ms, event %d: %s".formatted(now, counted, text));
  }

  private void at(long delay, Runnable what) {
    events.add(new Event(now + delay, serial++, what));
  }

  private int delay() {
    return random.nextInt(10) == 0 ? random.nextInt(SLOWEST) : random.nextInt(4);
  }

  private boolean outage() {
    return now < outageUntil;
  }

  private Broker anyBroker() {
    return brokers.get(random.nextInt(brokers.size()));
  }

  private Partition anyPartition() {
    return store.partitions.get(random.nextInt(store.partitions.size()));
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  // Clients.

  /** Polls for ever, each time at another broker, and acks at yet another. */
  private void client() {
    if (ending) {
      return;
    }
    Partition partition = anyPartition();
    boolean named = random.nextInt(4) == 0;
    Duration patience =
        random.nextInt(3) == 0 ? Duration.ZERO : Duration.ofMillis(1 + random.nextInt(4_000));
    PollRequest request =
        new PollRequest(
            named
                ? new PollTarget.Partition(partition.queue, partition.name)
                : new PollTarget.Queue(partition.queue),
            any(GROUPS),
            1 + random.nextInt(3),
            1 + random.nextInt(2),
            random.nextInt(5) == 0,
            new Subscription.All(),
            patience);
    anyBroker().enter(request);
  }

  private void producer() {
    if (ending) {
      return;
    }
    int burst = random.nextInt(4);
    for (int i = 0; i < burst; i++) {
      anyBroker().push(anyPartition());
    }
    at(random.nextInt(3) == 0 ? random.nextInt(3_000) : random.nextInt(60), this::producer);
  }

  /** What goes wrong in between, and what operators do. */
  private void trouble() {
    if (ending) {
      outageUntil = 0;
      QUEUES.forEach(queue -> store.pause(queue, false, now));
      lastResume = now;
      return;
    }
    switch (manner.calm ? 3 + random.nextInt(5) : random.nextInt(8)) {
      case 0 -> {
        if (random.nextInt(3) == 0) {
          outageUntil = now + random.nextInt(2_000);
          lastFailure = outageUntil;
        }
      }
      case 1 -> {
        String queue = any(QUEUES);
        String group = any(GROUPS);
        Broker at = anyBroker();
        store.seek(queue, group, at.number, now);
        at(delay(), () -> at.event(() -> at.room.moved(queue, group, now)));
      }
      case 2 -> {
        String queue = any(QUEUES);
        store.pause(queue, true, now);
        at(
            random.nextInt(1_500),
            () -> {
              store.pause(queue, false, now);
              lastResume = now;
              Broker at = anyBroker();
              at.event(() -> at.room.resumed(queue, now));
            });
      }
      case 3 -> {
        Broker at = anyBroker();
        String queue = any(QUEUES);
        at.event(() -> at.room.changed(queue, now));
      }
      default -> {
        if (!open.isEmpty() && random.nextInt(2) == 0) {
          Open gone = open.values().iterator().next();
          boolean endsItsPoll = random.nextBoolean();
          gone.broker.event(
              () -> {
                if (endsItsPoll) {
                  gone.broker.room.end(gone.waiter, now);
                  endAgain(gone);
                } else {
                  gone.broker.room.cancel(gone.waiter, now);
                }
              });
        }
      }
    }
    if (random.nextDouble() < manner.lies) {
      Partition partition = anyPartition();
      Broker to = anyBroker();
      String group = any(GROUPS);
      to.event(
          () -> {
            if (random.nextBoolean()) {
              to.room.appended(partition.queue, partition.name, partition.id, now);
            } else {
              to.room.freed(partition.queue, partition.name, partition.id, group, now);
            }
          });
    }
    at(50 + random.nextInt(1_000), this::trouble);
  }

  private interface Packet {
    void to(Broker broker);
  }

  private void packets(Broker from, Packet packet) {
    if (manner.udp) {
      for (Broker to : brokers) {
        if (to != from && random.nextDouble() >= manner.loss) {
          at(delay(), () -> packet.to(to));
        }
      }
    }
  }

  /** A broker: its room, and what a shell does for it. */
  private final class Broker implements Hints {
    final int number;
    final WaitingRoom room;
    final Set<Integer> knownAppends = new HashSet<>();
    final Set<UUID> hinted = new HashSet<>();

    /** Leases that an answer brought, until a client has them or they are given back. */
    private final Set<UUID> granted = new HashSet<>();

    private int bookmark;
    private long looksBegun;
    private boolean looking;
    private boolean lookAgain;
    private long lastLook;
    private int announced;
    private long timerAt = Long.MAX_VALUE;

    Broker(int number) {
      this.number = number;
      this.room = new WaitingRoom(BackoffRules.defaults(), this, Instant::toEpochMilli);
    }

    @Override
    public boolean leasedElsewhere(UUID partitionId, String group) {
      return hinted.contains(partitionId) || random.nextDouble() < manner.lies;
    }

    @Override
    public Optional<UUID> partitionId(String queue, String partition) {
      return random.nextBoolean()
          ? Optional.empty()
          : random.nextInt(20) == 0
              ? Optional.of(new UUID(3, 3))
              : store.partitions.stream()
                  .filter(p -> p.queue.equals(queue) && p.name.equals(partition))
                  .map(p -> p.id)
                  .findFirst();
    }

    void event(Runnable event) {
      event.run();
      act();
      if (!granted.isEmpty()) {
        wrong("leases are kept by nobody: " + granted);
        granted.clear();
      }
    }

    void enter(PollRequest request) {
      event(
          () -> {
            Waiter waiter = room.enter(request, looksBegun, now);
            open.put(waiter, new Open(this, waiter, now));
          });
    }

    /** A push, to which a poll may be claimed; it may have to wait for a lock then. */
    void push(Partition partition) {
      List<Claim> claimed = new ArrayList<>();
      if (random.nextBoolean()) {
        event(() -> room.claim(partition.queue, partition.id, now).ifPresent(claimed::add));
      }
      if (claimed.isEmpty()) {
        push(partition, Optional.empty());
      } else {
        claims++;
        at(
            random.nextInt(20) == 0 ? random.nextInt(3 * (int) Claim.LIMIT_MILLIS) : delay(),
            () -> push(partition, Optional.of(claimed.get(0))));
      }
    }

    private void push(Partition partition, Optional<Claim> claim) {
      if (outage()) {
        lastFailure = Math.max(lastFailure, now);
        claim.ifPresent(poll -> at(delay(), () -> event(() -> room.unserved(poll, now))));
        return;
      }
      Optional<PopOutcome.Served> served =
          store.push(partition, number, claim.map(Claim::request), now);
      handedOver += served.isPresent() ? 1 : 0;
      int row = store.tail.size() - 1;
      if (!manner.calm && random.nextInt(20) == 0) {
        // There was no answer: the tail is all that tells, and a lease is given back.
        claim.ifPresent(poll -> at(delay(), () -> event(() -> room.unserved(poll, now))));
        served.ifPresent(
            lost ->
                at(
                    delay(),
                    () ->
                        ack(
                            this,
                            lost.batches().get(0),
                            claim.orElseThrow().request().group(),
                            false,
                            0)));
        return;
      }
      Optional<String> leasedTo = served.map(poll -> claim.orElseThrow().request().group());
      // Mostly in this order, and at once.
      at(delay(), () -> told(row, partition, leasedTo));
      claim.ifPresent(poll -> at(delay(), () -> handed(poll, served)));
      packets(this, to -> to.heardAppend(partition));
    }

    private void handed(Claim poll, Optional<PopOutcome.Served> served) {
      event(
          () ->
              served.ifPresentOrElse(
                  messages -> {
                    granted.addAll(leases(List.of(messages)));
                    room.served(poll, messages, now);
                  },
                  () -> room.unserved(poll, now)));
    }

    /** The answer of an own push. */
    void told(int row, Partition partition, Optional<String> leasedTo) {
      knownAppends.add(row);
      event(() -> room.appended(partition.queue, partition.name, partition.id, leasedTo, now));
    }

    void heardAppend(Partition partition) {
      event(
          () -> {
            if (brokers.size() > 1) {
              room.foreign(now);
            }
            room.appended(partition.queue, partition.name, partition.id, now);
          });
    }

    /** As the tail feed ticks. */
    void tick() {
      int interval = room.figures().shortestMillis();
      if (room.suspicious(now)) {
        interval = Math.min(interval, 150);
      }
      if (!looking
          && (interval == Integer.MAX_VALUE
              ? now - lastLook > 20_000
              : now - lastLook >= interval)) {
        look();
      }
      at(ending && open.isEmpty() ? 5_000 : 50, this::tick);
    }

    private void look() {
      if (looking) {
        lookAgain = true;
        return;
      }
      looking = true;
      lastLook = now;
      long look = ++looksBegun;
      at(
          delay(),
          () -> {
            boolean fails = outage();
            int from = bookmark;
            int to = store.tail.size();
            at(delay(), () -> looked(look, fails, from, to));
          });
    }

    private void looked(long look, boolean fails, int from, int to) {
      looking = false;
      if (fails) {
        lastFailure = Math.max(lastFailure, now);
        event(() -> room.lookFailed(now));
      } else {
        bookmark = to;
        for (int i = from; i < to; i++) {
          ModelStore.TailRow row = store.tail.get(i);
          boolean own = knownAppends.contains(i);
          if (row.partition().isEmpty()) {
            event(() -> room.moved(row.queue(), row.group(), now));
          } else if (!own) {
            Partition partition = row.partition().get();
            heardAppend(partition);
          }
        }
        event(() -> room.looked(look, brokers.size() > 1, now));
      }
      if (lookAgain) {
        lookAgain = false;
        look();
      }
    }

    private void act() {
      for (Action next = room.next(); next != null; next = room.next()) {
        act(next);
      }
      long alarm = room.nextAlarm();
      if (alarm < timerAt) {
        timerAt = alarm;
        at(
            Math.max(1, alarm - now),
            () -> {
              if (timerAt <= now) {
                timerAt = Long.MAX_VALUE;
                event(() -> room.alarm(now));
              }
            });
      }
    }

    private void act(Action action) {
      if (action instanceof Action.Pop pop) {
        at(
            delay(),
            () -> {
              boolean fails = outage();
              boolean lost = fails && random.nextBoolean();
              List<PopOutcome> outcomes =
                  fails && !lost ? List.of() : store.pop(pop.requests(), now);
              at(
                  delay(),
                  () -> {
                    if (fails) {
                      lastFailure = Math.max(lastFailure, now + manner.lease);
                    }
                    event(
                        () -> {
                          if (fails) {
                            room.failed(pop.question(), now);
                          } else {
                            granted.addAll(leases(outcomes));
                            room.answered(pop.question(), outcomes, now);
                          }
                        });
                  });
            });
      } else if (action instanceof Action.ReadPage page) {
        at(
            delay(),
            () -> {
              boolean fails = outage();
              ReconcilePage read = store.page(page.queue(), page.group(), page.after(), 2, now);
              at(
                  delay(),
                  () -> {
                    if (fails) {
                      lastFailure = Math.max(lastFailure, now);
                    }
                    event(
                        () -> {
                          if (fails) {
                            room.failed(page.question(), now);
                          } else {
                            room.read(page.question(), read, now);
                          }
                        });
                  });
            });
      } else if (action instanceof Action.Look) {
        look();
      } else if (action instanceof Action.Deliver deliver) {
        answered(deliver.waiter());
        taken(deliver.batches());
        delivered(deliver.waiter().request().group(), deliver.batches());
      } else if (action instanceof Action.Dismiss dismiss) {
        Open was = answered(dismiss.waiter());
        proven(was, dismiss.why());
        at(random.nextInt(200), ModelWorld.this::client);
      } else if (action instanceof Action.Drop drop) {
        answered(drop.waiter());
        at(random.nextInt(200), ModelWorld.this::client);
      } else if (action instanceof Action.GiveBack back) {
        taken(back.batches());
        for (PartitionBatch batch : back.batches()) {
          if (batch.lease().isPresent()) {
            ack(this, batch, back.group(), false, 0);
          }
        }
      } else if (action instanceof Action.AnnounceWaiting) {
        announced++;
      } else if (action instanceof Action.AnnounceGone) {
        announced--;
      } else if (action instanceof Action.AnnounceLeases leased) {
        packets(this, to -> to.hinted.addAll(leased.partitionIds()));
      } else if (action instanceof Action.Refuse refuse) {
        wrong("refused: " + refuse.problem());
      }
    }

    private void taken(List<PartitionBatch> batches) {
      batches.forEach(batch -> batch.lease().map(Lease::id).ifPresent(granted::remove));
    }

    private static Set<UUID> leases(List<PopOutcome> outcomes) {
      Set<UUID> leases = new HashSet<>();
      for (PopOutcome outcome : outcomes) {
        ((PopOutcome.Served) outcome)
            .batches()
            .forEach(batch -> batch.lease().map(Lease::id).ifPresent(leases::add));
      }
      return leases;
    }

    private Open answered(Waiter waiter) {
      Open was = open.remove(waiter);
      if (was == null) {
        wrong("a poll is answered twice");
        return new Open(this, waiter, now);
      }
      return was;
    }

    /** Nothing may have been free from before the poll arrived until now. */
    private void proven(Open was, EmptyReason why) {
      if (lastFailure >= was.since) {
        return;
      }
      PollRequest request = was.waiter.request();
      free(request, 0)
          .filter(since -> since < was.since)
          .ifPresent(
              since ->
                  wrong(
                      "a poll of %s at broker %d, here since %d, is told %s though something has been free since %d"
                          .formatted(request.target(), number, was.since, why, since)));
    }

    private void delivered(String group, List<PartitionBatch> batches) {
      if (batches.get(0).lease().isEmpty()) {
        at(random.nextInt(50), ModelWorld.this::client);
        return;
      }
      int fate = random.nextInt(10);
      int takes = random.nextInt(5) == 0 ? random.nextInt(1_500) : random.nextInt(30);
      Broker to = anyBroker();
      if (fate > 0) {
        for (PartitionBatch batch : batches) {
          at(takes, () -> ack(to, batch, group, fate > 2, random.nextInt(200)));
        }
      }
      at(takes + random.nextInt(20), ModelWorld.this::client);
    }
  }

  private void ack(Broker at, PartitionBatch batch, String group, boolean done, long delay) {
    if (outage()) {
      return;
    }
    Partition partition =
        store.partitions.stream()
            .filter(p -> p.id.equals(batch.partitionId()))
            .findFirst()
            .orElseThrow();
    Cursor cursor = store.cursor(partition, group);
    boolean good =
        store.ack(partition, group, batch.lease().orElseThrow().id(), done, done ? 0 : delay, now);
    if (good && cursor.lease == null) {
      at(
          delay(),
          () ->
              at.event(
                  () ->
                      at.room.released(
                          partition.queue,
                          partition.name,
                          partition.id,
                          group,
                          batch.lease().map(Lease::id),
                          done,
                          now)));
      packets(
          at,
          to -> {
            to.hinted.remove(partition.id);
            to.event(
                () -> to.room.freed(partition.queue, partition.name, partition.id, group, now));
          });
    }
  }
}
