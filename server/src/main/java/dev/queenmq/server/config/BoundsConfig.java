package dev.queenmq.server.config;

import static dev.queenmq.server.config.Setting.flag;
import static dev.queenmq.server.config.Setting.number;

import java.util.List;

/**
 * How many queues, partitions and groups there may be. 0 means any number.
 *
 * @param pushCreatesQueues whether a push to a queue that does not exist creates it
 * @param queues in all
 * @param partitions of all queues
 * @param groups subscriptions: pairs of a group and a queue, or one partition of it
 * @param tokenQueues that one token may create in an hour, through one broker
 * @param tokenPartitions the same for partitions
 * @param tokenGroups the same for subscriptions
 */
public record BoundsConfig(
    boolean pushCreatesQueues,
    int queues,
    int partitions,
    int groups,
    int tokenQueues,
    int tokenPartitions,
    int tokenGroups) {
  private static final int MOST = 1_000_000_000;

  static final Setting<Boolean> QUEEN_PUSH_CREATES_QUEUES =
      flag(
          "QUEEN_PUSH_CREATES_QUEUES",
          true,
          "Whether a push to a queue that does not exist creates it. With `false` only"
              + " `POST /api/v1/configure` creates queues.");
  static final Setting<Integer> QUEEN_MAX_QUEUES =
      number(
          "QUEEN_MAX_QUEUES",
          100_000,
          0,
          MOST,
          "Queues that may exist; no more are created. Counted every few seconds while there"
              + " are new ones, so that a few more are possible. 0 means any number.");
  static final Setting<Integer> QUEEN_MAX_PARTITIONS =
      number(
          "QUEEN_MAX_PARTITIONS",
          10_000_000,
          0,
          MOST,
          "Partitions of all queues that may exist; as `QUEEN_MAX_QUEUES`.");
  static final Setting<Integer> QUEEN_MAX_GROUPS =
      number(
          "QUEEN_MAX_GROUPS",
          1_000_000,
          0,
          MOST,
          "Subscriptions that may exist; as `QUEEN_MAX_QUEUES`. A subscription is a pair of a consumer"
              + " group and a queue, or one partition of a queue that the group polls by name.");
  static final Setting<Integer> QUEEN_MAX_NEW_QUEUES_PER_TOKEN =
      number(
          "QUEEN_MAX_NEW_QUEUES_PER_TOKEN",
          10_000,
          0,
          MOST,
          "Queues that the subject of a token may create in an hour through this broker. 0 means"
              + " any number.");
  static final Setting<Integer> QUEEN_MAX_NEW_PARTITIONS_PER_TOKEN =
      number(
          "QUEEN_MAX_NEW_PARTITIONS_PER_TOKEN",
          1_000_000,
          0,
          MOST,
          "Partitions that the subject of a token may create in an hour through this broker. 0"
              + " means any number.");
  static final Setting<Integer> QUEEN_MAX_NEW_GROUPS_PER_TOKEN =
      number(
          "QUEEN_MAX_NEW_GROUPS_PER_TOKEN",
          100_000,
          0,
          MOST,
          "Subscriptions that the subject of a token may create in an hour; the first poll at this"
              + " broker counts. 0 means any number.");

  static final Setting.Group GROUP =
      new Setting.Group(
          "Numbers of objects",
          List.of(
              QUEEN_PUSH_CREATES_QUEUES,
              QUEEN_MAX_QUEUES,
              QUEEN_MAX_PARTITIONS,
              QUEEN_MAX_GROUPS,
              QUEEN_MAX_NEW_QUEUES_PER_TOKEN,
              QUEEN_MAX_NEW_PARTITIONS_PER_TOKEN,
              QUEEN_MAX_NEW_GROUPS_PER_TOKEN));

  static BoundsConfig read(SettingsReader reader) {
    return new BoundsConfig(
        reader.value(QUEEN_PUSH_CREATES_QUEUES),
        reader.value(QUEEN_MAX_QUEUES),
        reader.value(QUEEN_MAX_PARTITIONS),
        reader.value(QUEEN_MAX_GROUPS),
        reader.value(QUEEN_MAX_NEW_QUEUES_PER_TOKEN),
        reader.value(QUEEN_MAX_NEW_PARTITIONS_PER_TOKEN),
        reader.value(QUEEN_MAX_NEW_GROUPS_PER_TOKEN));
  }
}
