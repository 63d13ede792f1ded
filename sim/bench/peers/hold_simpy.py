"""The hold model on SimPy 2, as Debian has it: hold_simpy.py PENDING EVENTS."""
import sys
import time

from SimPy.Simulation import Process, Simulation, hold

EARLY = 200_000
MASK = (1 << 64) - 1
pending, events = int(sys.argv[1]), int(sys.argv[2])
random = total = seen = began = 0


def draw():
    global random
    random = (random + 0x9E3779B97F4A7C15) & MASK
    z = random
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return 1 + ((z ^ (z >> 31)) >> 44)


def event(at, number):
    """Takes note of an event, and returns how much later the next one comes."""
    global total, seen, began
    mixed = ((total ^ at ^ number << 40) * 0x9E3779B97F4A7C15) & MASK
    total = mixed ^ (mixed >> 29)
    seen += 1
    if seen == pending:
        began = time.process_time_ns()
    elif seen == pending + EARLY:
        print("early %016x" % total)
    if seen == pending + events:
        print("ns %d\nevents %d\nsum %016x" % (time.process_time_ns() - began, events, total))
        world.stopSimulation()
    return draw()


class Holder(Process):
    def run(self, number):
        while True:
            yield hold, self, event(int(world.now()), number)


world = Simulation()
world.initialize()
for number in range(pending):
    holder = Holder(sim=world)
    world.activate(holder, holder.run(number), at=draw())
world.simulate(until=float("inf"))
