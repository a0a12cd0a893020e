package dev.queenmq.server.config.catalogue;

import static dev.queenmq.server.config.catalogue.SettingKinds.flag;
import static dev.queenmq.server.config.catalogue.SettingKinds.number;

import java.util.List;

/** The part of the catalogue that is about how many objects clients may create. */
public final class BoundsSettings {
  private static final int MOST = 1_000_000_000;

  public static final Setting<Boolean> QUEEN_PUSH_CREATES_QUEUES =
      flag(
          "QUEEN_PUSH_CREATES_QUEUES",
          true,
          "Whether a push to a queue that does not exist creates it. With `false` only"
              + " `POST /api/v1/configure` creates queues.");
  public static final Setting<Integer> QUEEN_MAX_QUEUES =
      number(
          "QUEEN_MAX_QUEUES",
          100_000,
          0,
          MOST,
          "Queues that may exist; no more are created. Counted every few seconds while there"
              + " are new ones, so that a few more are possible. 0 means any number.");
  public static final Setting<Integer> QUEEN_MAX_PARTITIONS =
      number("QUEEN_MAX_PARTITIONS", 10_000_000, 0, MOST, "The same for partitions of all queues.");
  public static final Setting<Integer> QUEEN_MAX_GROUPS =
      number(
          "QUEEN_MAX_GROUPS",
          1_000_000,
          0,
          MOST,
          "The same for subscriptions: pairs of a consumer group and a queue, or one partition of a"
              + " queue that the group polls by name.");
  public static final Setting<Integer> QUEEN_MAX_NEW_QUEUES_PER_TOKEN =
      number(
          "QUEEN_MAX_NEW_QUEUES_PER_TOKEN",
          10_000,
          0,
          MOST,
          "Queues that the subject of a token may create in an hour through this broker. 0 means"
              + " any number.");
  public static final Setting<Integer> QUEEN_MAX_NEW_PARTITIONS_PER_TOKEN =
      number("QUEEN_MAX_NEW_PARTITIONS_PER_TOKEN", 1_000_000, 0, MOST, "The same for partitions.");
  public static final Setting<Integer> QUEEN_MAX_NEW_GROUPS_PER_TOKEN =
      number(
          "QUEEN_MAX_NEW_GROUPS_PER_TOKEN",
          100_000,
          0,
          MOST,
          "The same for subscriptions; the first poll at this broker counts.");

  static final Settings.Group GROUP =
      new Settings.Group(
          "Numbers of objects",
          List.of(
              QUEEN_PUSH_CREATES_QUEUES,
              QUEEN_MAX_QUEUES,
              QUEEN_MAX_PARTITIONS,
              QUEEN_MAX_GROUPS,
              QUEEN_MAX_NEW_QUEUES_PER_TOKEN,
              QUEEN_MAX_NEW_PARTITIONS_PER_TOKEN,
              QUEEN_MAX_NEW_GROUPS_PER_TOKEN));

  private BoundsSettings() {}
}
