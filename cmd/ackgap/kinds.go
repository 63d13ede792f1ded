package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/reports/eventlog"
	"github.com/ackgap/ackgap/scenarios"
)

// byteOrderMark is what some editors put before a text in UTF-8.
const byteOrderMark = "\ufeff"

// parseStory reads a story, or says what its text is instead.
func parseStory(src source) (*scenarios.Story, error) {
	if is := otherKind(src.text); is != "" {
		return nil, fmt.Errorf("%s is no story: %s", src.file, strings.ReplaceAll(is, "FILE", shellWord(src.arg)))
	}
	return scenarios.Parse(src.file, src.text)
}

// otherKind says of a text that is no story what it looks like, and what can be done
// with it, which calls it FILE; "" where it may be a story. A file of another kind would
// be refused word by word.
func otherKind(text []byte) string {
	start := bytes.TrimLeft(text, " \t\r\n")
	switch {
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")):
		return "it looks like UTF-16; save it as UTF-8"
	case bytes.IndexByte(text[:min(len(text), 8<<10)], 0) >= 0, !utf8.Valid(text) && bytes.ContainsAny(text, "\x00\x01\x02\x03\x04\x05\x06"):
		return "it looks like a binary file; a story is text, such as `ackgap run lost-ack --seed 1 --story` prints"
	case bytes.HasPrefix(start, []byte("<")):
		return otherMarkup(start)
	case bytes.HasPrefix(start, []byte("{")), bytes.HasPrefix(start, []byte("[")):
		return otherJSON(start)
	case scenarios.IsToken(string(bytes.TrimSpace(text[:min(len(text), 80)]))):
		return "it holds a token; `ackgap replay FILE` runs it, `ackgap report FILE` makes a page of it"
	}
	return ""
}

// otherMarkup tells pages from pictures.
func otherMarkup(start []byte) string {
	head := strings.ToLower(string(start[:min(len(start), 512)]))
	switch {
	case strings.HasPrefix(head, "<!doctype html"), strings.HasPrefix(head, "<html"):
		return "it looks like a page (HTML); `ackgap open FILE` shows one"
	case strings.HasPrefix(head, "<svg"), strings.Contains(head, "<svg "):
		return "it looks like a picture (SVG); `ackgap open FILE` shows one"
	}
	return "it looks like XML; a browser shows it, and a CI server reads JUnit"
}

// otherJSON tells our documents from others.
func otherJSON(start []byte) string {
	switch format := formatOf(start); format {
	case "":
		return unformatted(start)
	case eventlog.Format:
		return "it is a log (" + format + "); `ackgap check-log FILE` judges it"
	case reports.Format:
		return "it is the report of a run (" + format + "); `ackgap report FILE` makes a page of it, `ackgap replay FILE` runs it again"
	default:
		return "it looks like a document for programs (format " + script.Quote(format) + "); no command of ackgap reads it"
	}
}

// unformatted tells of JSON that does not say its format whether it is damaged, or one
// of the two forms that other programs have made.
func unformatted(start []byte) string {
	var keys map[string]json.RawMessage
	if err := json.NewDecoder(bytes.NewReader(start)).Decode(&keys); err != nil && start[0] == '{' {
		return "it looks like JSON, and is damaged or cut short"
	}
	switch {
	case keys["resourceSpans"] != nil:
		return "it looks like spans (OTLP/JSON); `ackgap check-log FILE` judges those that tell of a queue"
	case keys["traceEvents"] != nil:
		return "it looks like a trace; Perfetto (https://ui.perfetto.dev) shows it"
	}
	return "it looks like JSON, and says no format of ackgap"
}

// formatOf is what the JSON document at the start of text calls its format.
func formatOf(text []byte) string {
	var head struct{ Format string }
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&head); err != nil {
		return ""
	}
	return head.Format
}

// writtenRun is of the report of a run what runs it again.
type writtenRun struct{ Title, Digest, Text string }

// runOf reads the report of a run (--json): its story, and what it says of itself.
func runOf(src source) (*scenarios.Token, source, error) {
	var run writtenRun
	d := json.NewDecoder(bytes.NewReader(src.text))
	if err := d.Decode(&run); err != nil {
		return nil, src, fmt.Errorf("%s: the report of a run is damaged: %w", src.file, err)
	}
	if err := d.Decode(new(json.RawMessage)); !errors.Is(err, io.EOF) {
		return nil, src, fmt.Errorf("%s holds more than one run; write the one to look at to a file of its own: a run is a line", src.file)
	}
	if run.Text == "" {
		return nil, src, fmt.Errorf("%s does not hold its story, since an older build wrote it; run it again: `ackgap run STORY --json`", src.file)
	}
	token, err := scenarios.TokenOf(src.file, unknownBuild, run.Digest, []byte(run.Text))
	if err != nil {
		return nil, src, err
	}
	title := "# " + strings.Join(strings.Fields(run.Title), " ")
	return token, source{arg: src.arg, file: src.file, text: []byte(title)}, nil
}

// sayOther says where what was run now is not what a token, or the report of a run, tells.
// Such a report does not say which build wrote it.
func (s *streams) sayOther(src source, token *scenarios.Token, out *scenarios.Outcome) {
	got := out.History.Digest.String()
	if token.Digest == "" || token.Digest == got {
		return
	}
	why := "another build wrote it, or it was changed"
	if sameBuild(token.Build, buildID()) {
		why = "the run is not deterministic, or the token was forged"
	}
	fmt.Fprintf(s.errs, "ackgap: %s says digest %s, and the run shown here left %s: %s\n", shellWord(src.arg), token.Digest, got, why)
}
