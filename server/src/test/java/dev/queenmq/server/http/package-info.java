/** Codecs and the mechanics of HTTP; what a broker does is tested against a real one elsewhere. */
@org.jspecify.annotations.NullMarked
package dev.queenmq.server.http;
