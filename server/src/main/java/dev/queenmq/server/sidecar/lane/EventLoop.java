package dev.queenmq.server.sidecar.lane;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An event loop, and how to run something on it.
 *
 * @param thread that runs it
 */
public record EventLoop(Context context, Thread thread) {

  /** Whether the caller runs on it. */
  public boolean isHere() {
    return Thread.currentThread() == thread;
  }

  /** Runs a task on the event loop; at once if the caller is on it. */
  public void run(Runnable task) {
    if (isHere()) {
      task.run();
    } else {
      context.runOnContext(go -> task.run());
    }
  }

  /** Makes a call on the event loop; the future completes on the caller's event loop. */
  public <T> Future<T> call(Supplier<Future<T>> call) {
    if (isHere()) {
      return call.get();
    }
    @Nullable Context caller = Vertx.currentContext();
    Promise<T> answer = Promise.promise();
    context.runOnContext(
        go ->
            Future.succeededFuture()
                .compose(here -> call.get())
                .onComplete(
                    done -> {
                      if (caller == null) {
                        answer.handle(done);
                      } else {
                        caller.runOnContext(back -> answer.handle(done));
                      }
                    }));
    return answer.future();
  }
}
