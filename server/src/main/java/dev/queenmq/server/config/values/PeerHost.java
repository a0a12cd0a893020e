package dev.queenmq.server.config.values;

/**
 * Another broker, as the operator named it.
 *
 * @param host a name or an address, an IPv6 one without brackets
 * @param port where it listens for other brokers
 */
public record PeerHost(String host, int port) {}
