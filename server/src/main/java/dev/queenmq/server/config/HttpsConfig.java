package dev.queenmq.server.config;

import dev.queenmq.server.config.values.ClientCertificates;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The files that the HTTP server speaks TLS with, all PEM.
 *
 * @param certificate the server's own, and then those that lead from it to an authority
 * @param key that belongs to it
 * @param clientAuthorities who signs the certificates of clients; there if these are asked for
 * @param clients what is asked of those who connect
 * @param reload how often the files are looked at
 */
public record HttpsConfig(
    Path certificate,
    Path key,
    Optional<Path> clientAuthorities,
    ClientCertificates clients,
    Duration reload) {}
