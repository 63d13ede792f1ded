// Package lessons teaches what ackgap is about in ten short lessons and a map of
// guarantees.
//
//	lesson, err := lessons.Open(1)
//	text := lesson.AppendText(nil, reports.Style{})
//
// A lesson is a list of beats: a sentence, a figure, a bet, a game. Whoever plays
// it asks before it shows (cmd/ackgap does, at a prompt); AppendText prints all of
// it, the answers too. Each number in a lesson was counted in a run that was made
// just now: of a story of the catalogue, or of one in stories/, or of such a story
// with one thing changed.
package lessons
