package dev.queenmq.server.http.server;

import dev.queenmq.server.config.HttpConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import java.net.UnknownHostException;

/** Whether the HTTP port can be opened, found out before a start does anything that takes long. */
final class ListenCheck {

  private ListenCheck() {}

  /**
   * Opens the port for a moment, in the way in which the servers will. It is not kept: clients that
   * connect would wait for a broker that is not there yet.
   */
  static Future<Void> run(Vertx vertx, HttpConfig config) {
    if (config.port() == 0) {
      return Future.succeededFuture();
    }
    return vertx
        .createNetServer(new NetServerOptions().setHost(config.host()).setPort(config.port()))
        .connectHandler(early -> early.close())
        .listen()
        .compose(NetServer::close)
        .recover(failure -> Future.failedFuture(cannotListen(config, failure)));
  }

  /** Which address it is, what is wrong with it, and what to do. */
  static HttpStartException cannotListen(HttpConfig config, Throwable failure) {
    return new HttpStartException(
        "cannot listen on %s:%d: %s".formatted(config.host(), config.port(), why(config, failure)),
        failure);
  }

  private static String why(HttpConfig config, Throwable failure) {
    String said = String.valueOf(failure.getMessage());
    if (failure instanceof UnknownHostException || said.contains("Failed to resolve")) {
      return "the host name cannot be resolved; set HOST or --host to an address of this machine";
    }
    if (said.contains("Address already in use")) {
      return "the port is in use%s; stop that process, or set PORT or --port to another port"
          .formatted(
              PortOwner.of(config.port()).map(pid -> " by process " + pid).orElse(" by another"));
    }
    if (said.contains("assign requested address")) {
      return "this is no address of this machine; set HOST or --host to one that is";
    }
    if (said.contains("Permission denied")) {
      return "permission denied; set PORT or --port to a port from 1024 on";
    }
    return said;
  }
}
