package valkey

// keys are those of one queue, after the grammar emq:{Q}:TYPE. The braces put
// them all into one slot of a cluster.
type keys struct {
	root      string // emq:{Q}:
	rows      string // emq:{Q}:job:
	sets      [4]string
	meta      string
	completed string
	failed    string
	owner     string // not EchoMQ's: see own
}

// The sets, as indexes of keys.sets; the bit of each in model.Sets is 1<<index.
const (
	pending = iota
	active
	schedule
	dead
)

func keysOf(queue string) keys {
	root := "emq:{" + queue + "}:"
	return keys{
		root: root, rows: root + "job:",
		sets: [4]string{root + "pending", root + "active", root + "schedule", root + "dead"},
		meta: root + "meta", completed: root + "metrics:completed", failed: root + "metrics:failed",
		owner: root + "owner",
	}
}
