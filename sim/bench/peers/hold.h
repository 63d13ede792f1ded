/* What all that hold in C and C++ share: the generator, the sum and the clock. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* The sum is told first after so many events, which the slowest reach too. */
#define HOLD_EARLY 200000

static struct {
	uint64_t pending, events, seen, random, sum, began;
	int over;
} hold;

/* Processor time of this process in nanoseconds. */
static inline uint64_t hold_clock(void) {
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* A time from 1 to 2^20, by splitmix64. */
static inline uint64_t hold_draw(void) {
	uint64_t z = hold.random += 0x9E3779B97F4A7C15u;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return 1 + ((z ^ (z >> 31)) >> 44);
}

static inline void hold_begin(uint64_t pending, uint64_t events) {
	hold.pending = pending;
	hold.events = events;
}

/* Takes note of event id at the instant at, and returns how much later the next one
 * with that id comes. */
static inline uint64_t hold_event(uint64_t at, uint32_t id) {
	uint64_t mixed = (hold.sum ^ at ^ (uint64_t)id << 40) * 0x9E3779B97F4A7C15u;
	hold.sum = mixed ^ mixed >> 29;
	hold.seen++;
	if (hold.seen == hold.pending)
		hold.began = hold_clock();
	else if (hold.seen == hold.pending + HOLD_EARLY)
		printf("early %016" PRIx64 "\n", hold.sum);
	if (hold.seen == hold.pending + hold.events) {
		printf("ns %" PRIu64 "\nevents %" PRIu64 "\nsum %016" PRIx64 "\n", hold_clock() - hold.began, hold.events, hold.sum);
		hold.over = 1;
	}
	return hold_draw();
}
