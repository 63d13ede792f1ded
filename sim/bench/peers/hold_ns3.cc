// The hold model on ns-3's simulator, with the scheduler of the third argument:
//
//   hold_ns3 PENDING EVENTS ns3::MapScheduler
#include <cstdlib>
#include <ns3/core-module.h>

#include "hold.h"

static void event(uint32_t id) {
	uint64_t later = hold_event(ns3::Simulator::Now().GetNanoSeconds(), id);
	if (hold.over)
		ns3::Simulator::Stop();
	else
		ns3::Simulator::Schedule(ns3::NanoSeconds(later), &event, id);
}

int main(int argc, char **argv) {
	if (argc != 4)
		return 2;
	hold_begin(std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[2], nullptr, 10));
	ns3::ObjectFactory scheduler(argv[3]);
	ns3::Simulator::SetScheduler(scheduler);
	for (uint32_t id = 0; id < hold.pending; id++)
		ns3::Simulator::Schedule(ns3::NanoSeconds(hold_draw()), &event, id);
	ns3::Simulator::Run();
	return 0;
}
