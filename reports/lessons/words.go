package lessons

import "github.com/ackgap/ackgap/reports"

// glossary says what each word means that a lesson introduces.
var glossary = [...]struct{ word, means string }{
	{"lease", "the right to work on a job, up to a deadline"},
	{"effect", "a change outside the queue: a row, a mail, a charge"},
	{"ACK", "the word that the work is done; this queue calls it complete"},
	{"view", "what one party saw: messages, answers, its own clock"},
	{"generals", "two parties who must act together, by messengers that get lost"},
	{"at most once", "never twice, and maybe not at all"},
	{"at least once", "never lost, and maybe twice"},
	{"pause", "a process stands still, then goes on as if nothing had been"},
	{"idempotent", "done twice, it leaves what it leaves when done once"},
	{"marker", "a record under the job's id: this one is done"},
	{"transaction", "several writes that happen all or not at all"},
	{"zombie", "a worker that goes on with a lease it no longer has"},
	{"token", "a number that rises with each delivery of a job"},
	{"fence", "a check that refuses a token lower than one it has seen"},
	{"admission", "the queue takes a job in, or says that it has it"},
	{"settlement", "the accepted end of a delivery"},
	{"outbox", "a table of messages to publish, written in the transaction"},
	{"seed", "a number that decides all mishaps of a random world"},
	{"shrink", "leave out what the failure does not need"},
}

func meaning(word string) (string, bool) {
	for _, g := range glossary {
		if g.word == word {
			return g.means, true
		}
	}
	return "", false
}

// AppendWords appends the glossary, in the order of the lessons.
func AppendWords(b []byte, s reports.Style) []byte {
	b = append(paint(b, bold, "THE WORDS", s), "\n\n"...)
	for _, g := range glossary {
		b = pad(paint(pad(b, 2), bold, g.word, s), len("at least once  ")-len(g.word))
		b = append(append(b, g.means...), '\n')
	}
	return b
}

// What people say, and what a lesson puts an end to.
const (
	mythConfirm  = "A second confirmation settles it."
	mythTimeout  = "It timed out, so it failed."
	mythTCP      = "TCP acknowledges already."
	mythSetting  = "Exactly-once is a setting."
	mythDedupe   = "Deduplication works, so the argument is wrong."
	mythChoice   = "Early or late ACK is a matter of taste."
	mythLease    = "A longer lease stops the duplicates."
	mythLock     = "I hold the lock, so only I run."
	mythLookOnce = "I look for the key first, so I am safe."
	mythAttempt  = "It is attempt 1, so nobody ran it before."
	mythMemory   = "A key that is kept for a while is enough."
	mythOutbox   = "An outbox gives exactly-once."
	mythTests    = "My tests pass."
)

// number is n as prose writes it.
func number(n int) string {
	words := []string{"none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	if n < 0 || n >= len(words) {
		return itoa(n)
	}
	return words[n]
}

// times is how often something happened, as prose writes it.
func times(n int) string {
	words := []string{"never", "once", "twice"}
	if n < 0 || n >= len(words) {
		return number(n) + " times"
	}
	return words[n]
}
