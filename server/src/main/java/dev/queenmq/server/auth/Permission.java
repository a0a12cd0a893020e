package dev.queenmq.server.auth;

/** What a role allows. */
enum Permission {
  READ,
  PRODUCE,
  CONSUME,
  WRITE,
  ADMIN
}
