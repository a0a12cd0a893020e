package dev.queenmq.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Calls a method of a bean for every message of a queue.
 *
 * <pre>{@code
 * @QueenListener(queue = "orders", group = "kitchen", concurrency = "20")
 * void brew(Order order) { ... }
 * }</pre>
 *
 * <p>The parameters say what the method gets:
 *
 * <ul>
 *   <li>{@code Order}: the payload, as any type that the client's mapper can read, {@code JsonNode}
 *       or {@code byte[]};
 *   <li>{@code Message<Order>}: the message with its payload, alone or beside the payload;
 *   <li>{@code List<Order>}, {@code List<Message<Order>>}: all messages that a pop brought of one
 *       partition, together. For a payload that is itself a list, take {@code Message<List<X>>}.
 * </ul>
 *
 * <p>When the method returns, the message is acked, unless the method settled it otherwise. When it
 * throws, the {@link QueenErrorHandler} decides; without one the message fails, and is delivered
 * again until it succeeds or becomes a dead letter. Messages of one partition are handled one after
 * the other, in order, whatever the concurrency. A method may return a {@code CompletionStage}: the
 * message is done when the stage is.
 *
 * <p>All attributes may have placeholders, such as {@code ${orders.queue}}.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface QueenListener {

  /**
   * The queue.
   *
   * @return its name
   */
  String queue();

  /**
   * The consumer group.
   *
   * @return its name; {@code queen.listener.group} unless set. Without either, all consumers
   *     without a group share the messages
   */
  String group() default "";

  /**
   * One partition of the queue.
   *
   * @return its name; all partitions unless set
   */
  String partition() default "";

  /**
   * How many partitions are handled at the same time.
   *
   * @return a number; {@code queen.listener.concurrency} unless set
   */
  String concurrency() default "";

  /**
   * How many messages one pop may bring, and so how many a list may have.
   *
   * @return a number; {@code queen.listener.batch} unless set
   */
  String batch() default "";

  /**
   * Where the group starts at its first contact with the queue.
   *
   * @return {@code oldest}, {@code now}, or a moment such as {@code 2026-01-31T00:00:00Z}; {@code
   *     queen.listener.start-at} unless set
   */
  String startAt() default "";

  /**
   * What to do when the method throws.
   *
   * @return the name of a {@link QueenErrorHandler} bean; the only bean of that type unless set
   */
  String errorHandler() default "";

  /**
   * How the listener is called in logs and in the {@code QueenListenerRegistry}.
   *
   * @return an id; name of the bean, a dot and name of the method unless set
   */
  String id() default "";

  /**
   * Whether it starts with the application.
   *
   * @return true or false; {@code queen.listener.auto-startup} unless set
   */
  String autoStartup() default "";
}
