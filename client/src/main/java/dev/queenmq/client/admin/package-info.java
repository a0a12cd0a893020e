/**
 * What operators do: look at queues, groups, leases, messages and brokers, and change them.
 *
 * <p>{@link dev.queenmq.client.admin.QueenAdmin} leads to the rest. The records that the operations
 * take and return are in the packages below, one for each subject. Each operation is one request to
 * one broker and has two forms: a method that waits for the answer, and one with the same name and
 * {@code Async} at its end that returns a {@link java.util.concurrent.CompletableFuture}. Both fail
 * with the exceptions of the client.
 *
 * <p>What is not there is an empty {@link java.util.Optional}, {@code false} or 0 where the
 * operation looks something up or removes it. It is an exception where the operation cannot do its
 * work without it.
 *
 * <p>Answers are records. Fields that a newer broker adds are ignored; a value of an enumeration
 * that this version does not know is read as {@code UNKNOWN}.
 */
@NullMarked
package dev.queenmq.client.admin;

import org.jspecify.annotations.NullMarked;
