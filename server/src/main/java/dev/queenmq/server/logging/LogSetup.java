package dev.queenmq.server.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.Logger;

/**
 * What the broker logs, and how: text for people or JSON for machines, on standard error. In code
 * and not in a file, because to read a file of XML would take a tenth of a start.
 *
 * <p>Logback finds this class by itself. It has no say in a process that did not ask for it by the
 * properties below, as where the broker's classes are part of another program, nor where an
 * operator names a file of his own ({@code -Dlogback.configurationFile}).
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class LogSetup extends ContextAwareBase implements Configurator {
  /** The property with the format: {@code text} or {@code json}. */
  public static final String FORMAT = "queen.log.format";

  /** The property with the lowest level of the broker's own lines. */
  public static final String LEVEL = "queen.log.level";

  private static final String FILE = "logback.configurationFile";
  private static final String PATTERN =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0}: %msg%n%ex";

  @Override
  public ExecutionStatus configure(LoggerContext loggers) {
    String format = System.getProperty(FORMAT);
    String level = System.getProperty(LEVEL);
    if ((format == null && level == null) || System.getProperty(FILE) != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setContext(loggers);
    console.setName("console");
    console.setTarget(ConsoleTarget.SystemErr.getName());
    console.setEncoder("json".equals(format) ? json(loggers) : text(loggers));
    console.start();
    loggers.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(console);
    // Libraries speak only when something is wrong, whatever LOG_LEVEL says.
    loggers.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
    loggers.getLogger("dev.queenmq").setLevel(Level.toLevel(level, Level.INFO));
    // Who did what: docs/security.md. Not hushed by LOG_LEVEL.
    loggers.getLogger("queen.audit").setLevel(Level.INFO);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /** What clients choose can be part of any message: no line may look like another. */
  private static Encoder<ILoggingEvent> text(LoggerContext loggers) {
    PatternLayout layout = new PatternLayout();
    layout.setContext(loggers);
    layout.getInstanceConverterMap().put("msg", EscapedMessage::new);
    layout.getInstanceConverterMap().put("ex", EscapedThrowable::new);
    layout.setPattern(PATTERN);
    layout.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(loggers);
    encoder.setLayout(layout);
    encoder.start();
    return encoder;
  }

  private static Encoder<ILoggingEvent> json(LoggerContext loggers) {
    EscapedJson encoder = new EscapedJson();
    encoder.setContext(loggers);
    encoder.setWithSequenceNumber(false);
    encoder.setWithNanoseconds(false);
    encoder.setWithContext(false);
    encoder.setWithMessage(false);
    encoder.setWithArguments(false);
    encoder.setWithFormattedMessage(true);
    encoder.start();
    return encoder;
  }
}
