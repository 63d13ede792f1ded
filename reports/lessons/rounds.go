package lessons

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ackgap/ackgap/model"
)

// round is one history of the same job, up to the instant at which its lease runs
// out: a fault line for the world of one job, and what it means.
type round struct{ fault, tale string }

// The rounds come in pairs: in the first of each the work has run when the lease runs
// out, in the second it has not, and the queue's view is the same in all.
var rounds = [...]round{
	{"fault drop complete J1#1", "the ACK was lost"},
	{"fault drop-reply claim J1#1", "the job was lost on its way"},
	{"fault delay complete J1#1 by=1m", "the ACK comes a minute late"},
	{"fault delay-reply claim J1#1 by=1m", "the job comes a minute late"},
	{"fault crash w1 after=apply J1#1", "the worker died after the effect"},
	{"fault crash w1 before=apply J1#1", "the worker died before the effect"},
	{"fault pause w1 after=apply J1#1 for=1m", "the worker stood still after the effect"},
	{"fault pause w1 before=apply J1#1 for=1m", "the worker stood still before the effect"},
	{"fault partition w1 queue time=10ms for=1m", "the worker was cut off with the job"},
	{"fault crash w1 after=claim J1#1", "the worker died with the job in hand"},
}

// roundSeed decides the order in which the rounds are played.
const roundSeed model.Seed = 5

// dealt returns the rounds in the order in which they are played.
func dealt() []round {
	draw := roundSeed.Fork("lessons/rounds")
	order := make([]int, len(rounds))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		if draw.Hash(uint64(i), 0) < draw.Hash(uint64(j), 0) {
			return -1
		}
		return 1
	})
	var list []round
	for _, i := range order {
		list = append(list, rounds[i])
	}
	return list
}

// The options of the game, and their places.
var ranOrNot = []string{"it ran", "it did not"}

const (
	itRan = iota
	itDidNot
)

func didItRun(a *author) {
	game := &Game{Ask: "did the work run?", Options: ranOrNot}
	rows := [][]string{{"round", "what happened", "", "view (digest)"}}
	var all []*trial
	var tokens []model.Token
	slow := 0
	for i, r := range dealt() {
		t := a.with("one-job", r.fault)
		all = append(all, t)
		tokens = append(tokens, t.token())
		answer := itDidNot
		if t.hadRun() {
			answer = itRan
		}
		if answer == itDidNot && t.effects() > 1 {
			slow = i + 1
		}
		game.Answers = append(game.Answers, answer)
		rows = append(rows, []string{itoa(i + 1), r.tale, ranOrNot[answer], t.seen().Digest().String()})
	}
	a.say("You are the queue, and this is your *view* of a job whose lease ran out:")
	a.show(lines(recordOf(all[0])...))
	a.say("You see just this in %s rounds, and each time something else has happened.", number(len(all)))
	a.lesson.Beats = append(a.lesson.Beats, Beat{Game: game})
	a.show(columns(2, rows))
	a.say("There are %s rounds, and %s view.", number(len(all)), number(views(all)))
	a.say("So whatever goes by the view says the same in all of them.")
	a.say("Always 'it ran' is right %s, always 'it did not' is right %s, and a cleverer rule has to be one of the two.",
		times(constant(game, itRan)), times(constant(game, itDidNot)))
	a.say("The attempt, token=%d above, is the same in all of them: it counts what was handed out, not what was done.", common(tokens))
	a.say("To ask the store is no way out: in round %d it holds nothing yet, and a slow worker writes later.", slow)
	a.ends(mythAttempt)
	seen := recordOf(a.shipped("lost-ack"))
	a.try(0, "ackgap twin lost-ack", fmt.Sprintf("equal, %d of %d events", len(seen), len(seen)))
	_, reaped, _ := strings.Cut(seen[len(seen)-1], "applied ")
	a.try(0, "ackgap run lost-ack --history", strings.TrimSpace(reaped))
}

// constant is the score of whoever always gives the same answer.
func constant(g *Game, answer int) int {
	guesses := make([]int, len(g.Answers))
	for i := range guesses {
		guesses[i] = answer
	}
	return g.Score(guesses)
}

// token is what the first delivery was given. EchoMQ's token is the count of attempts.
func (t *trial) token() model.Token {
	for _, e := range t.all(model.Applied, model.OpClaim) {
		if e.N == 1 {
			return e.Token
		}
	}
	return 0
}

// common is the one token that all of them are, or 0.
func common(tokens []model.Token) model.Token {
	for _, t := range tokens {
		if t != tokens[0] {
			return 0
		}
	}
	return tokens[0]
}
