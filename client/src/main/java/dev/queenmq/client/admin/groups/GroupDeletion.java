package dev.queenmq.client.admin.groups;

/**
 * What was forgotten of a group.
 *
 * @param deleted whether there was anything
 * @param deletedPartitions in how many partitions it had begun to read
 * @param metadataDeleted whether it was asked to forget also where the group starts
 */
public record GroupDeletion(boolean deleted, long deletedPartitions, boolean metadataDeleted) {}
