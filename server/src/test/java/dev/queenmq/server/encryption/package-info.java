/** Encryption and decryption. */
@NullMarked
package dev.queenmq.server.encryption;

import org.jspecify.annotations.NullMarked;
