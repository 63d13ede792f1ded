// The benchmarks have a module of their own, so that what they are held against
// stays out of the one that is built and tested.
module github.com/ackgap/ackgap/sim/bench

go 1.26.0

require (
	github.com/ackgap/ackgap v0.0.0
	github.com/fschuetz04/simgo v0.7.0
	github.com/sarchlab/akita/v4 v4.9.0
	pgregory.net/rapid v1.3.0
)

require github.com/rs/xid v1.6.0 // indirect

replace github.com/ackgap/ackgap => ../..
