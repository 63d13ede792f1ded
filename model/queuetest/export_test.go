package queuetest

// Complaints is for tests: what a queue that claims c does otherwise.
var Complaints = complaints

// EveryQueue is what the least of all queues is found wanting in, by name.
var EveryQueue = everyQueue

// Judge puts one question to a queue.
var Judge = judge

// Name and Ask are the parts of a question.
func (q question) Name() string      { return q.name }
func (q question) Ask() func(*probe) { return q.ask }
