package dev.queenmq.server.config;

/**
 * Where the HTTP server listens.
 *
 * @param port 0 means any free one
 */
public record HttpConfig(String host, int port) {}
