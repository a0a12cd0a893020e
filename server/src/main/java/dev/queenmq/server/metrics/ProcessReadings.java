package dev.queenmq.server.metrics;

import java.time.Duration;

/**
 * What the process takes at one moment; 0 where the system does not show it.
 *
 * @param uptime since the JVM started
 * @param cpuUserMicros time on a core, in our code
 * @param cpuSystemMicros time on a core, in the kernel for us
 * @param residentBytes of memory
 * @param virtualBytes of address space
 * @param heapUsedBytes by objects, garbage among them
 * @param heapCommittedBytes that the heap holds
 * @param heapMaxBytes that the heap may hold
 * @param nonHeapUsedBytes by classes and compiled code
 * @param directBytes of buffers outside the heap
 */
public record ProcessReadings(
    Duration uptime,
    long cpuUserMicros,
    long cpuSystemMicros,
    long residentBytes,
    long virtualBytes,
    long heapUsedBytes,
    long heapCommittedBytes,
    long heapMaxBytes,
    long nonHeapUsedBytes,
    long directBytes,
    int threads) {}
