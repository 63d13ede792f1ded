package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/scenarios"
)

// The file of a check that may be killed holds, behind one line with its format and the
// SHA-256 of the rest, which check it is of and what was counted so far: for each story
// how many worlds from the first seed on, without a gap, and what they came to. It is
// written beside itself and then renamed, so that it is whole at any moment, and its
// worlds are those of its counts and no others. So none is counted twice.
const (
	progressFormat = "ackgap-check-progress/1"
	progressEvery  = 100 * time.Millisecond
	maxProgress    = 64 << 20 // bytes of such a file
)

// checkpoint is what the file holds.
type checkpoint struct {
	Identity []string      `json:"identity"` // of the check, line by line
	Stories  []checkedPart `json:"stories"`  // those that were begun, in order
}

// checkedPart is how far one story is.
type checkedPart struct {
	Own   scenarios.Met    `json:"own"`
	Tally *scenarios.Tally `json:"tally,omitempty"` // of the worlds so far; nil: it has none, or none was counted
	Done  bool             `json:"done"`
}

// keptCheck is a check that keeps its progress in a file. A nil one keeps nothing.
type keptCheck struct {
	keepGoing bool // behind a failure
	file      string
	state     checkpoint
	at        int // the story at hand
	saved     time.Time
}

// keepCheck opens the progress of a check, or begins one where the file is not there.
func keepCheck(f *checkFlags, sources []source) (*keptCheck, error) {
	if f.resume == "" {
		return nil, nil
	}
	k := &keptCheck{file: f.resume, keepGoing: f.keepGoing, state: checkpoint{Identity: checkIdentity(f, sources)}}
	if err := k.open(); err != nil {
		return nil, fmt.Errorf("--resume %s: %w", script.Quote(f.resume), cause(err))
	}
	return k, nil
}

// checkIdentity says line by line what a check is of. The cores and how long it may take
// change nothing that it counts.
func checkIdentity(f *checkFlags, sources []source) []string {
	lines := []string{
		"build " + buildVersion() + " " + buildID(), // two that are not released have one version
		fmt.Sprintf("runs %d", f.runs), fmt.Sprintf("seed %d", f.seed), fmt.Sprintf("keep-going %t", f.keepGoing),
		"backend " + f.backend.name, "drawn " + cmp.Or(f.drawn(), "by seeds"),
	}
	for _, src := range sources {
		lines = append(lines, fmt.Sprintf("story %s %x", model.Safe(src.file), sha256.Sum256(src.text)))
	}
	return lines
}

func (k *keptCheck) open() error {
	if err := mayReplace(k.file); err != nil {
		return err
	}
	file, err := os.Open(k.file)
	if errors.Is(err, os.ErrNotExist) {
		return k.save()
	}
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(file, maxProgress+1))
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	found, err := parseCheckpoint(text)
	if err != nil {
		return err
	}
	if err := sameCheck(found.Identity, k.state.Identity); err != nil {
		return err
	}
	k.state = *found
	return nil
}

// parseCheckpoint reads a file of progress, and refuses one that is not whole.
func parseCheckpoint(text []byte) (*checkpoint, error) {
	head, body, _ := bytes.Cut(text, []byte("\n"))
	format, sum, _ := strings.Cut(string(head), " ")
	switch {
	case format != progressFormat:
		return nil, errors.New("it is no progress of a check of this version: its first line does not begin with " + progressFormat + "; name another file")
	case len(text) > maxProgress || sum != fmt.Sprintf("%x", sha256.Sum256(body)):
		return nil, errors.New("it is damaged or cut short: its checksum does not match; remove it and begin anew")
	}
	found := &checkpoint{}
	if err := json.Unmarshal(body, found); err != nil {
		return nil, fmt.Errorf("it cannot be read (%w); remove it and begin anew", err)
	}
	for _, part := range found.Stories {
		if part.Own > scenarios.Inconclusive {
			return nil, fmt.Errorf("it cannot be read (a story came to %d, which no answer has); remove it and begin anew", part.Own)
		}
	}
	return found, nil
}

// sameCheck refuses the progress of another check, and says in what it differs.
func sameCheck(saved, mine []string) error {
	for i := range max(len(saved), len(mine)) {
		a, b := "nothing more", "nothing more"
		if i < len(saved) {
			a = saved[i]
		}
		if i < len(mine) {
			b = mine[i]
		}
		if a != b {
			return fmt.Errorf("it is of another check: it has %s where this one has %s; go on with the same stories and flags, or name another file", script.Quote(a), script.Quote(b))
		}
	}
	return nil
}

// part turns to the ith story and returns how far it is, and nil where it was not begun.
func (k *keptCheck) part(i int) *checkedPart {
	if k == nil {
		return nil
	}
	k.at = i
	if i >= len(k.state.Stories) {
		return nil
	}
	return &k.state.Stories[i]
}

// own notes what the story at hand, which is new, came to as it is written.
func (k *keptCheck) own(own scenarios.Met) {
	if k != nil {
		k.state.Stories = append(k.state.Stories, checkedPart{Own: own})
	}
}

// worlds notes what the first worlds of the story at hand came to, of which a failure is
// the last where the check does not keep going, and saves it unless that was done a moment ago.
func (k *keptCheck) worlds(t *scenarios.Tally) error {
	if k == nil {
		return nil
	}
	part := &k.state.Stories[k.at]
	part.Tally, part.Done = clone(t), t.Unexpected > 0 && !k.keepGoing
	if time.Since(k.saved) < progressEvery {
		return nil
	}
	return k.save()
}

// end saves how far the story at hand is: done, or to be gone on with.
func (k *keptCheck) end(done bool) error {
	if k == nil {
		return nil
	}
	k.state.Stories[k.at].Done = done
	return k.save()
}

// save replaces the file.
func (k *keptCheck) save() error {
	body, err := json.Marshal(&k.state)
	if err != nil {
		panic("ackgap: counts did not encode: " + err.Error())
	}
	err = saveBeside(k.file, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s %x\n%s", progressFormat, sha256.Sum256(body), body)
		return err
	})
	if err != nil {
		return fmt.Errorf("--resume %s: %w", script.Quote(k.file), cause(err))
	}
	k.saved = time.Now()
	return nil
}

// clone copies a tally to which more will be added.
func clone(t *scenarios.Tally) *scenarios.Tally {
	c := *t
	c.Properties, c.Reach = slices.Clone(t.Properties), slices.Clone(t.Reach)
	c.Struck, c.Repaired = slices.Clone(t.Struck), slices.Clone(t.Repaired)
	c.Failures, c.Opens = slices.Clone(t.Failures), slices.Clone(t.Opens)
	return &c
}

// resumed returns the tally with which the worlds of a story go on: what was counted,
// or nothing.
func resumed(part *checkedPart, campaign *scenarios.Campaign, runs uint64) (*scenarios.Tally, error) {
	total := campaign.NewTally()
	if part == nil || part.Tally == nil {
		return total, nil
	}
	t := part.Tally
	sameBuild := len(t.Properties) == len(total.Properties) && len(t.Reach) == len(total.Reach) &&
		len(t.Struck) == len(total.Struck) && len(t.Repaired) == len(total.Repaired)
	if !sameBuild || t.Runs < 0 || uint64(t.Runs) > runs {
		return nil, errors.New("--resume: the counts are those of another build; remove the file and begin anew")
	}
	return clone(t), nil
}

// isNext reports whether a chunk's tally follows what was counted without a gap: it is
// whole. A chunk that was cut short, as time ran out, leaves a gap before the next.
func isNext(t *scenarios.Tally, counted, runs uint64) bool {
	return uint64(t.Runs) == min(chunk, runs-counted)
}
