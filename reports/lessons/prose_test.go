package lessons

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ackgap/ackgap/reports"
)

// The rules that the lessons are written by: short, one sentence a beat, one new word
// at most, a bet before what it is about, and no number that was not counted.

// prose returns all sentences of a lesson that are no picture, table or command.
func prose(l *Lesson) []string {
	list := slices.Concat([]string{l.Title}, l.Myths)
	for _, b := range l.Beats {
		list = append(list, b.Says, b.Word, b.Means)
		if b.Bet != nil {
			list = append(list, b.Bet.Ask)
			for _, o := range b.Bet.Options {
				list = append(list, o.Text, o.Says)
			}
		}
		if b.Game != nil {
			list = append(list, b.Game.Ask)
		}
	}
	return list
}

func TestALessonHasAtMost300Words(t *testing.T) {
	for n := 1; n <= Count; n++ {
		if words := len(strings.Fields(strings.Join(prose(open(t, n)), " "))); words > 300 {
			t.Errorf("lesson %d has %d words", n, words)
		}
	}
}

func TestABeatIsOneSentence(t *testing.T) {
	for n := 1; n <= Count; n++ {
		for _, b := range open(t, n).Beats {
			inside := strings.TrimRight(b.Says, ".:?")
			if b.Says != "" && (inside == b.Says || strings.ContainsAny(inside, "?!") || strings.Contains(inside, ". ")) {
				t.Errorf("lesson %d: %q", n, b.Says)
			}
		}
	}
}

func TestEachNewWordIsExplainedOnce(t *testing.T) {
	var used, listed []string
	for n := 1; n <= Count; n++ {
		here := map[string]bool{}
		for _, b := range open(t, n).Beats {
			stars := strings.Count(b.Says, "*")
			if stars != 0 && stars != 2 || stars == 2 != (b.Means != "") || here[b.Word] && b.Word != "" {
				t.Errorf("lesson %d: %q", n, b.Says)
			}
			here[b.Word] = true
			if b.Word != "" {
				used = append(used, b.Word)
			}
		}
	}
	for _, g := range glossary {
		listed = append(listed, g.word)
	}
	if diff := cmp.Diff(used, listed); diff != "" {
		t.Errorf("the words of the lessons, in order, and those of the glossary:\n%s", diff)
	}
}

// A lesson bets or plays before it shows the runs that answer.
func TestEachLessonAsksBeforeItAnswers(t *testing.T) {
	for n := 1; n <= Count; n++ {
		l := open(t, n)
		asked := slices.IndexFunc(l.Beats, func(b Beat) bool { return b.Bet != nil || b.Game != nil })
		shown := slices.IndexFunc(l.Beats[asked+1:], func(b Beat) bool { return b.Figure != nil })
		if asked < 0 || shown < 0 {
			t.Errorf("lesson %d: asks at beat %d, shows %d later", n, asked, shown)
		}
	}
}

func TestEachAnswerIsAnsweredAndOneIsRight(t *testing.T) {
	for n := 1; n <= Count; n++ {
		for _, b := range open(t, n).Beats {
			if b.Bet == nil {
				continue
			}
			right := 0
			for _, o := range b.Bet.Options {
				if o.Right {
					right++
				}
				if o.Text == "" || o.Says == "" {
					t.Errorf("lesson %d: an answer without a word: %+v", n, o)
				}
			}
			if right != 1 || len(b.Bet.Options) < 3 {
				t.Errorf("lesson %d: %d of %d answers are right", n, right, len(b.Bet.Options))
			}
		}
	}
}

func TestEachMythIsEnded(t *testing.T) {
	var ended []string
	for n := 1; n <= Count; n++ {
		l := open(t, n)
		if len(l.Myths) == 0 || len(l.Try) == 0 {
			t.Errorf("lesson %d ends with %d myths and %d commands", n, len(l.Myths), len(l.Try))
		}
		ended = append(ended, l.Myths...)
	}
	for _, m := range []string{mythConfirm, mythTimeout, mythTCP, mythSetting, mythDedupe, mythChoice, mythLease,
		mythLock, mythLookOnce, mythAttempt, mythMemory, mythOutbox, mythTests} {
		if !slices.Contains(ended, m) {
			t.Errorf("no lesson ends %q", m)
		}
	}
}

// A number in a sentence was counted: the strings that the sentences are made of hold
// none.
func TestNoNumberIsTypedIn(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	sentences := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, text := range sentencesOf(t, file) {
			sentences++
			if strings.ContainsAny(text, "0123456789") {
				t.Errorf("%s: %s", file, text)
			}
		}
	}
	if sentences < 130 {
		t.Errorf("only %d strings were looked at", sentences)
	}
}

// sentencesOf returns the strings that a file makes sentences of.
func sentencesOf(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !isProse(call) {
			return true
		}
		ast.Inspect(call, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				list = append(list, lit.Value)
			}
			return true
		})
		return false
	})
	return list
}

// isProse reports whether a call makes a sentence of a lesson.
func isProse(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name == "yes" || f.Name == "no"
	case *ast.SelectorExpr:
		return f.Sel.Name == "say" || f.Sel.Name == "bet"
	}
	return false
}

// texts returns all that there is to read, in a style.
func texts(t *testing.T, s reports.Style) []string {
	t.Helper()
	list := []string{string(AppendContents(nil, s)), string(AppendWords(nil, s))}
	guide, err := AppendMap(nil, s)
	if err != nil {
		t.Fatal(err)
	}
	list = append(list, string(guide))
	for n := 1; n <= Count; n++ {
		list = append(list, string(open(t, n).AppendText(nil, s)))
	}
	return list
}

func TestALessonFitsInto80Columns(t *testing.T) {
	for _, text := range texts(t, reports.Style{}) {
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			if utf8.RuneCountInString(line) > 80 || strings.TrimRight(line, " ") != line {
				t.Errorf("%d columns: %q", utf8.RuneCountInString(line), line)
			}
		}
		if strings.Contains(text, "\n\n\n") {
			t.Errorf("two empty lines:\n%s", text)
		}
	}
}

func TestASCIIIsASCIIInTheSameColumns(t *testing.T) {
	unicode := texts(t, reports.Style{})
	for i, text := range texts(t, reports.Style{ASCII: true}) {
		if len(text) != utf8.RuneCountInString(unicode[i]) {
			t.Errorf("%d bytes, %d runes", len(text), utf8.RuneCountInString(unicode[i]))
		}
		for _, r := range text {
			if r >= utf8.RuneSelf {
				t.Fatalf("%q in\n%s", r, text)
			}
		}
	}
}

var ansi = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// Colour repeats what words and shapes say: without it nothing is lost.
func TestColourIsNeverAlone(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		plain := texts(t, reports.Style{ASCII: ascii})
		for i, text := range texts(t, reports.Style{ASCII: ascii, Color: true}) {
			if text == plain[i] || ansi.ReplaceAllString(text, "") != plain[i] {
				t.Errorf("without its colours it reads\n%s", ansi.ReplaceAllString(text, ""))
			}
		}
	}
}
