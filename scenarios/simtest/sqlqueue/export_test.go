package sqlqueue

// Exec runs a statement on the database below the queue.
func (q *Queue) Exec(text string) { q.exec(text) }
