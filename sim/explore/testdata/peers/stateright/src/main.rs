//! The leased queue of sim/explore/leased_test.go: the same states, the same steps,
//! in the same order.
//!
//!     leased JOBS WORKERS CLAIMS FAULTS bfs|dfs

use stateright::{Checker, Model, Property};

const PENDING: u8 = 0;
const ACTIVE: u8 = 1;
const DONE: u8 = 2;
const IDLE: u8 = 0;
const WORKING: u8 = 1;
const ACKING: u8 = 2;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct State {
    jobs: [Job; 4],
    workers: [Worker; 4],
    left: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Job {
    set: u8,
    due: u8,
    claims: u8,
    effects: u8,
    mail: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Worker {
    phase: u8,
    job: u8,
    token: u8,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Action {
    Claim(u8, u8),
    Work(u8),
    Beat(u8),
    Crash(u8),
    Ack(u8),
    Lose(u8),
    Delay(u8),
    Lapse(u8),
    Reap(u8),
    Arrive(u8, u8),
}

struct Leased {
    jobs: u8,
    workers: u8,
    claims: u8,
    faults: u8,
}

impl Model for Leased {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State { left: self.faults, ..State::default() }]
    }

    fn actions(&self, s: &State, list: &mut Vec<Action>) {
        for w in 0..self.workers {
            self.work(s, w, list);
        }
        for j in 0..self.jobs {
            let job = &s.jobs[j as usize];
            if job.set == ACTIVE {
                list.push(if job.due == 0 { Action::Lapse(j) } else { Action::Reap(j) });
            }
            for t in 1..=self.claims {
                if job.mail >> t & 1 != 0 {
                    list.push(Action::Arrive(j, t));
                }
            }
        }
    }

    fn next_state(&self, last: &State, a: Action) -> Option<State> {
        let mut s = last.clone();
        match a {
            Action::Lapse(j) => s.jobs[j as usize].due = 1,
            Action::Reap(j) => {
                s.jobs[j as usize].due = 0;
                s.jobs[j as usize].set = PENDING;
            }
            Action::Arrive(j, t) => {
                s.jobs[j as usize].mail &= !(1 << t);
                s.settle(j, t);
            }
            Action::Claim(w, j) => {
                let job = &mut s.jobs[j as usize];
                job.set = ACTIVE;
                job.claims += 1;
                s.workers[w as usize] = Worker { phase: WORKING, job: j, token: job.claims };
            }
            Action::Work(w) => {
                let k = &mut s.workers[w as usize];
                let job = &mut s.jobs[k.job as usize];
                job.effects = 2.min(job.effects + 1);
                k.phase = ACKING;
            }
            Action::Beat(w) => s.jobs[s.workers[w as usize].job as usize].due = 0,
            Action::Ack(w) => {
                let k = s.workers[w as usize];
                s.settle(k.job, k.token);
                s.workers[w as usize] = Worker::default();
            }
            Action::Delay(w) => {
                let k = s.workers[w as usize];
                s.jobs[k.job as usize].mail |= 1 << k.token;
                s.left -= 1;
                s.workers[w as usize] = Worker::default();
            }
            Action::Lose(w) | Action::Crash(w) => {
                s.left -= 1;
                s.workers[w as usize] = Worker::default();
            }
        }
        Some(s)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("work was done on what is done", |_, s: &State| {
            s.jobs.iter().all(|j| j.set != DONE || j.effects > 0)
        })]
    }
}

impl Leased {
    fn work(&self, s: &State, w: u8, list: &mut Vec<Action>) {
        let k = &s.workers[w as usize];
        let job = &s.jobs[k.job as usize];
        match k.phase {
            IDLE => {
                for j in 0..self.jobs {
                    let job = &s.jobs[j as usize];
                    if job.set == PENDING && job.claims < self.claims {
                        list.push(Action::Claim(w, j));
                    }
                }
            }
            WORKING => {
                list.push(Action::Work(w));
                if job.due == 1 && k.token == job.claims {
                    list.push(Action::Beat(w));
                }
                if s.left > 0 {
                    list.push(Action::Crash(w));
                }
            }
            ACKING => {
                list.push(Action::Ack(w));
                if s.left > 0 {
                    list.push(Action::Lose(w));
                    if job.mail >> k.token & 1 == 0 {
                        list.push(Action::Delay(w));
                    }
                }
            }
            _ => unreachable!(),
        }
    }
}

impl State {
    fn settle(&mut self, j: u8, token: u8) {
        let job = &mut self.jobs[j as usize];
        if job.set == ACTIVE && job.claims == token {
            job.set = DONE;
            job.due = 0;
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let n = |i: usize| args[i].parse::<u8>().expect("a small number");
    let model = Leased { jobs: n(1), workers: n(2), claims: n(3), faults: n(4) };
    let (states, found) = if args[5] == "bfs" {
        let c = model.checker().threads(1).spawn_bfs().join();
        (c.unique_state_count(), c.discoveries().len())
    } else {
        let c = model.checker().threads(1).spawn_dfs().join();
        (c.unique_state_count(), c.discoveries().len())
    };
    println!("{states} states, {found} discoveries");
}
