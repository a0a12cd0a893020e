/*
 * A wall clock that is wrong: preloaded into a broker, it adds to CLOCK_REALTIME the seconds that stand
 * in a file, as a 64-bit number in this machine's byte order, and sees at once when they change. The
 * monotonic clock stays as it is. (libfaketime makes the timed waits of a JVM return at once.)
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *ahead;
static int (*real_clock_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("TORTURE_CLOCK");
  real_clock_gettime = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int file = name ? open(name, O_RDONLY) : -1;
  if (file >= 0) {
    void *page = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) {
      ahead = page;
    }
    close(file);
  }
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!real_clock_gettime) {
    begin();
  }
  int result = real_clock_gettime(clock, time);
  if (result == 0 && ahead && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    time->tv_sec += *ahead;
  }
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  struct timespec now;
  (void)zone;
  int result = clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return result;
}
