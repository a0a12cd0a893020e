package dev.queenmq.server.config.values;

import java.nio.file.Path;

/**
 * What this broker shows of itself to PostgreSQL.
 *
 * @param certificate PEM file
 * @param key PEM file of the key that belongs to it
 */
public record ClientCertificate(Path certificate, Path key) {}
