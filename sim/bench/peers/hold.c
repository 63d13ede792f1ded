/* The hold model on a binary heap: what the machine itself takes for the work.
 *
 *   hold PENDING EVENTS
 *
 * PENDING events are in the heap. The earliest is taken out, of two at one instant
 * the one that was put in first, and one is put in a random time later: PENDING
 * times to warm up, then EVENTS times by the clock. Each event that is taken out is
 * folded into a sum, which says in what order they came. */
#define _POSIX_C_SOURCE 199309L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "hold.h"

struct event {
	uint64_t at, seq;
	uint32_t id;
};

static struct event *heap;
static size_t held;
static uint64_t seq;

static inline int before(const struct event *a, const struct event *b) {
	return a->at < b->at || (a->at == b->at && a->seq < b->seq);
}

static void push(uint64_t at, uint32_t id) {
	struct event e = {at, ++seq, id};
	size_t i = held++;
	while (i > 0 && before(&e, &heap[(i - 1) / 2])) {
		heap[i] = heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	heap[i] = e;
}

static struct event pop(void) {
	struct event top = heap[0], last = heap[--held];
	size_t i = 0, child;
	while ((child = 2 * i + 1) < held) {
		if (child + 1 < held && before(&heap[child + 1], &heap[child]))
			child++;
		if (!before(&heap[child], &last))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = last;
	return top;
}

int main(int argc, char **argv) {
	if (argc != 3)
		return 2;
	hold_begin(strtoull(argv[1], 0, 10), strtoull(argv[2], 0, 10));
	heap = malloc((hold.pending + 1) * sizeof *heap);
	for (uint32_t id = 0; id < hold.pending; id++)
		push(hold_draw(), id);
	while (!hold.over) {
		struct event e = pop();
		push(e.at + hold_event(e.at, e.id), e.id);
	}
	return 0;
}
