package simtest

import (
	"fmt"
	"slices"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// The letters of a plan: see Plan.
var (
	messageKinds = []letter{
		{'d', "drop %s"}, {'r', "drop-reply %s"}, {'l', "delay %s by=45s"}, {'L', "delay-reply %s by=45s"}, {'2', "duplicate %s after=50ms"},
	}
	stepKinds = []letter{
		{'c', "crash %s after=%s restart=5s"}, {'C', "crash %s before=%s restart=5s"}, {'p', "pause %s after=%s for=45s"}, {'P', "pause %s before=%s for=45s"},
	}
	messageWhere = []letter{{'c', "complete"}, {'k', "claim"}, {'t', "retry"}, {'a', "apply"}, {'x', "extend"}}
	stepWhere    = []letter{{'k', "claim"}, {'h', "check"}, {'r', "read"}, {'w', "write"}, {'a', "apply"}, {'m', "commit"}, {'z', "sleep"}, {'s', "settle"}}
)

// refusal is the kind that has its own place.
const refusal = 'e'

// letter is one letter of a plan, and what it writes.
type letter struct {
	char byte
	text string
}

// pick returns the letter of a table that c stands for.
func pick(table []letter, c byte) letter {
	if i := slices.IndexFunc(table, func(l letter) bool { return l.char == c }); i >= 0 {
		return table[i]
	}
	return table[int(c)%len(table)]
}

// maxDelivery is the last delivery that a plan names.
const maxDelivery = 4

// Plan reads a byte string as faults of the world s: lines of a story without the
// first word. They may but need not fire. A plan is a row of words of four letters,
// each one fault:
//
//	KIND WHERE JOB DELIVERY     dc11 ca12: drop complete J1#1, crash after apply J1#2
//
// KIND is one of
//
//	d r l L 2   of a message: drop, drop-reply, delay and delay-reply by 45s, duplicate after 50ms
//	c C p P     of a step: crash after it or before it, restart=5s; pause after it or before it, for=45s
//	e           an apply is refused; WHERE counts nothing
//
// and WHERE
//
//	c k t a x         of a message: complete, claim, retry, apply, extend
//	k h r w a m z s   of a step: claim, check, read, write, apply, commit, sleep, settle
//
// JOB is 1 to 9 and DELIVERY 1 to 4, in this order. Every byte string is a plan: a letter
// that stands in none of the tables counts as the one at its value modulo their length,
// blanks count nothing, a step that the workers do not take means no fault, and what is
// left of a last word is dropped. So a fuzzer may do as it likes, and what it has found
// can be read.
func Plan(s *scenarios.Story, data []byte) []string {
	data = slices.DeleteFunc(slices.Clone(data), func(c byte) bool { return c == ' ' || c == '\n' })
	var lines []string
	for ; len(data) >= 4; data = data[4:] {
		for _, line := range wordFaults(s, data[0], data[1], data[2], data[3]) {
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// wordFaults returns the faults of one word: one for each worker where a step is
// meant, for a plan does not know who will have the delivery.
func wordFaults(s *scenarios.Story, kind, where, job, n byte) []string {
	if len(s.Jobs) == 0 {
		return nil // no delivery to name
	}
	delivery := fmt.Sprintf("%s#%d", s.Jobs[int(job-'1')%len(s.Jobs)].Name, 1+int(n-'1')%maxDelivery)
	if kind == refusal {
		return []string{"error apply " + delivery}
	}
	kinds := slices.Concat(messageKinds, stepKinds)
	k := pick(kinds, kind)
	if slices.Contains(messageKinds, k) {
		verb := pick(messageWhere, where).text
		if verb == "apply" && !slices.ContainsFunc(s.Workers, calls) || verb == "extend" && !slices.ContainsFunc(s.Workers, beats) {
			return nil
		}
		return []string{fmt.Sprintf(k.text, verb+" "+delivery)}
	}
	step := pick(stepWhere, where).text
	if step == "claim" && (k.char == 'C' || k.char == 'P') {
		step = "settle" // nobody knows the delivery before the claim
	}
	var lines []string
	for i := range s.Workers {
		if takes(&s.Workers[i], step) {
			lines = append(lines, fmt.Sprintf(k.text, s.Workers[i].Name, step+" "+delivery))
		}
	}
	return lines
}

// What a worker does at all.

func calls(w scenarios.Worker) bool { return w.Consumer.Calls() }
func beats(w scenarios.Worker) bool { return w.Heartbeat > 0 }

func takes(w *scenarios.Worker, step string) bool {
	s, _ := model.ParseStep(step)
	return slices.Contains(w.Consumer.Steps(), s)
}

// Words returns every word of a plan for the world s that means another fault, for
// generators that put plans together: "dc11", "dc12", and so on.
func Words(s *scenarios.Story) []string {
	var words []string
	add := func(kinds, where []letter) {
		for _, k := range kinds {
			for _, w := range where {
				if w.text == "claim" && (k.char == 'C' || k.char == 'P') {
					continue
				}
				if wordFaults(s, k.char, w.char, '1', '1') != nil {
					words = append(words, eachDelivery(s, string([]byte{k.char, w.char}))...)
				}
			}
		}
	}
	add(messageKinds, messageWhere)
	add(stepKinds, stepWhere)
	return append(words, eachDelivery(s, string([]byte{refusal, 'a'}))...)
}

func eachDelivery(s *scenarios.Story, what string) []string {
	var words []string
	for j := range min(len(s.Jobs), 9) {
		for n := range maxDelivery {
			words = append(words, fmt.Sprintf("%s%d%d", what, j+1, n+1))
		}
	}
	return words
}
