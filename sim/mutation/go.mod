// What breaks the code on purpose has a module of its own, which ./... leaves out.
module github.com/ackgap/ackgap/sim/mutation

go 1.26.0
