package dev.queenmq.server.http.server;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Function;
import javax.security.auth.x500.X500Principal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks now and then whether the files of TLS have changed, and has the server use them if they are
 * good. Connections that are open stay as they are. A bad file is reported once, and checked again
 * when it changes. Its state belongs to the event loop that it is started on.
 */
final class CertificateWatch {
  private static final Logger log = LoggerFactory.getLogger(CertificateWatch.class);

  private final Vertx vertx;
  private final TlsFiles files;
  private final Function<ServerSSLOptions, Future<Boolean>> server;
  private final InstantSource clock;
  private String seen;
  private String complaint = "";
  private boolean looking;

  CertificateWatch(
      Vertx vertx,
      TlsFiles files,
      TlsFiles.Material inUse,
      Function<ServerSSLOptions, Future<Boolean>> server,
      InstantSource clock) {
    this.vertx = vertx;
    this.files = files;
    this.server = server;
    this.clock = clock;
    seen = inUse.digest();
    describe("TLS certificate", inUse);
  }

  /** The timer, to end it. */
  long start(Duration period) {
    return vertx.setPeriodic(period.toMillis(), tick -> look());
  }

  private void look() {
    if (looking) {
      return;
    }
    looking = true;
    vertx
        .executeBlocking(files::read)
        .compose(
            content -> {
              if (content.digest().equals(seen)) {
                complaint = "";
                return Future.succeededFuture();
              }
              return replace(content);
            })
        .onFailure(failure -> complain(String.valueOf(failure.getMessage())))
        .onComplete(done -> looking = false);
  }

  private Future<Void> replace(TlsFiles.Content content) {
    // Once for each content, good or bad.
    seen = content.digest();
    return vertx
        .executeBlocking(() -> files.check(content))
        .compose(
            material ->
                server
                    .apply(material.options())
                    .onSuccess(
                        updated -> {
                          complaint = "";
                          describe("new TLS certificate", material);
                        }))
        .mapEmpty();
  }

  private void complain(String text) {
    if (!text.equals(complaint)) {
      complaint = text;
      log.warn("keeping the TLS certificate as it was: {}", text);
    }
  }

  private void describe(String what, TlsFiles.Material material) {
    X500Principal subject = material.certificate().getSubjectX500Principal();
    Instant until = material.certificate().getNotAfter().toInstant();
    if (until.isBefore(clock.instant())) {
      log.warn("{} of {} has expired: it was valid until {}", what, subject, until);
    } else {
      log.info("{} of {}, valid until {}", what, subject, until);
    }
  }
}
