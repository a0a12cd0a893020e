package dev.queenmq.testkit.internal;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What a host is started with.
 *
 * @param run a folder for its files
 * @param binaries where PostgreSQL's programs are unpacked
 * @param postgresBin the {@code bin} folder of another PostgreSQL
 * @param kept where database files may be kept for the next process, if they may
 */
public record HostOptions(
    Path run, Path binaries, Optional<Path> postgresBin, Optional<Path> kept) {}
