/* Preloaded into the programs of a house: the time of day that they are told is ahead of the machine's by the seconds in a file. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

static const volatile long none, *ahead = &none;

__attribute__((constructor)) static void begin(void)
{
    int file = open(getenv("HOUSE_CLOCK"), O_RDONLY | O_CLOEXEC);
    void *there = mmap(NULL, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
    if (there != MAP_FAILED)
        ahead = there;
}

int clock_gettime(clockid_t which, struct timespec *now)
{
    static int (*real)(clockid_t, struct timespec *);
    if (!real)
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(which, now);
    if (!failed && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE))
        now->tv_sec += *ahead;
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec exact;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *there)
{
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    return there ? (*there = exact.tv_sec) : exact.tv_sec;
}
