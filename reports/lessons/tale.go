package lessons

import "github.com/ackgap/ackgap/model"

// tale tells a run in few words, for where a picture would be wider than the page: a
// line for each record that a person would speak of.
func tale(t *trial) Figure {
	var rows [][]string
	for i := range t.History.Events {
		e := &t.History.Events[i]
		if who, what := t.told(e); what != "" {
			rows = append(rows, []string{e.At.String(), who, what})
		}
	}
	return table(rows...)
}

// told returns who did what in e; nothing of what is not worth a line.
func (t *trial) told(e *model.Event) (who, what string) {
	who = t.History.Names.Proc(e.Proc)
	token := "token " + itoa(e.Token)
	switch {
	case e.Kind == model.Applied && e.Op == model.OpClaim && e.Answer == model.OK:
		return who, "is given the job, with " + token
	case e.Kind == model.Applied && e.Op == model.OpReap && e.Moved > 0:
		return "queue", "the lease has run out"
	case e.Kind == model.Applied && e.Op.Settles():
		return who, "sends " + e.Op.String() + " with " + token + ": " + e.Answer.String()
	case e.Kind == model.Effected:
		return who, "writes with " + token + ": " + marks(int(e.Effect))
	case e.Kind == model.Absorbed:
		return who, "writes with " + token + ": refused by the " + e.Cause.String()
	case e.Kind == model.Paused:
		return who, "stands still"
	case e.Kind == model.Woke:
		return who, "wakes up"
	}
	return who, ""
}
