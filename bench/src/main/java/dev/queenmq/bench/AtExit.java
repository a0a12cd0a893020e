package dev.queenmq.bench;

/**
 * Something that has to be released once: on {@link #close}, or when this JVM ends before. Safe for
 * any thread; a second caller waits until it is done.
 */
public final class AtExit implements AutoCloseable {
  private final Runnable release;
  private final Thread hook;
  private boolean released;

  /** Refused when the end of this JVM has begun. */
  public AtExit(String name, Runnable release) {
    this.release = release;
    hook = new Thread(this::release, name);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private synchronized void release() {
    if (!released) {
      released = true;
      release.run();
    }
  }

  @Override
  public void close() {
    release();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is on its way down, and the hook finds nothing left to do.
    }
  }
}
