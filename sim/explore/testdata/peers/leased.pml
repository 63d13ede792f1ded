/* The leased queue of sim/explore/leased_test.go: the same states, the same steps.
   One process takes them all, and each is a d_step, so that a state is the values of
   the variables and nothing else. */

#ifndef JOBS
#define JOBS 3
#endif
#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef CLAIMS
#define CLAIMS 2
#endif
#ifndef FAULTS
#define FAULTS 2
#endif

#define PENDING 0
#define ACTIVE 1
#define DONE 2
#define IDLE 0
#define WORKING 1
#define ACKING 2

typedef Job {
	unsigned set : 2;
	unsigned due : 1;
	unsigned claims : 2;
	unsigned effects : 2;
	unsigned mail : 4	/* by token, as bits */
}

typedef Worker {
	unsigned phase : 2;
	unsigned job : 2;
	unsigned token : 2
}

Job jobs[JOBS];
Worker workers[WORKERS];
byte left = FAULTS;

inline settle(who, spoken) {
	if
	:: jobs[who].set == ACTIVE && jobs[who].claims == spoken ->
		jobs[who].set = DONE;
		jobs[who].due = 0;
		assert(jobs[who].effects > 0)
	:: else
	fi
}

#define HELD(w) jobs[workers[w].job]

inline rest(w) {
	workers[w].phase = IDLE;
	workers[w].job = 0;
	workers[w].token = 0
}

inline claim(w, j) {
	jobs[j].set = ACTIVE;
	jobs[j].claims = jobs[j].claims + 1;
	workers[w].phase = WORKING;
	workers[w].job = j;
	workers[w].token = jobs[j].claims
}

inline work(w) {
	if
	:: HELD(w).effects < 2 -> HELD(w).effects = HELD(w).effects + 1
	:: else
	fi;
	workers[w].phase = ACKING
}

#define CLAIM(w, j) \
	:: d_step { workers[w].phase == IDLE && jobs[j].set == PENDING && jobs[j].claims < CLAIMS -> claim(w, j) }

/* The work, a heartbeat, a crash; a settlement that arrives, is lost, is late. */
#define WORKER(w) \
	:: d_step { workers[w].phase == WORKING -> work(w) } \
	:: d_step { workers[w].phase == WORKING && HELD(w).due == 1 && workers[w].token == HELD(w).claims -> HELD(w).due = 0 } \
	:: d_step { workers[w].phase == WORKING && left > 0 -> left--; rest(w) } \
	:: d_step { workers[w].phase == ACKING -> settle(workers[w].job, workers[w].token); rest(w) } \
	:: d_step { workers[w].phase == ACKING && left > 0 -> left--; rest(w) } \
	:: d_step { workers[w].phase == ACKING && left > 0 && (HELD(w).mail >> workers[w].token & 1) == 0 -> \
		HELD(w).mail = HELD(w).mail | 1 << workers[w].token; left--; rest(w) }

/* The end of a lease, and what is late. */
#define JOB(j) \
	:: d_step { jobs[j].set == ACTIVE && jobs[j].due == 0 -> jobs[j].due = 1 } \
	:: d_step { jobs[j].set == ACTIVE && jobs[j].due == 1 -> jobs[j].set = PENDING; jobs[j].due = 0 }

#define ARRIVE(j, t) \
	:: d_step { (jobs[j].mail >> t & 1) == 1 -> jobs[j].mail = jobs[j].mail & ~(1 << t); settle(j, t) }

#if JOBS > 2
#define EACHJOB(m, x) m(x, 0) m(x, 1) m(x, 2)
#else
#define EACHJOB(m, x) m(x, 0) m(x, 1)
#endif

#if CLAIMS > 2
#define ARRIVALS(j) ARRIVE(j, 1) ARRIVE(j, 2) ARRIVE(j, 3)
#else
#define ARRIVALS(j) ARRIVE(j, 1) ARRIVE(j, 2)
#endif

active proctype world() {
end:	do
	EACHJOB(CLAIM, 0) WORKER(0)
	EACHJOB(CLAIM, 1) WORKER(1)
#if WORKERS > 2
	EACHJOB(CLAIM, 2) WORKER(2)
#endif
	JOB(0) ARRIVALS(0)
	JOB(1) ARRIVALS(1)
#if JOBS > 2
	JOB(2) ARRIVALS(2)
#endif
	od
}
