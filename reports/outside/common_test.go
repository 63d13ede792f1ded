package outside

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/ackgap/ackgap/reports"
	"github.com/ackgap/ackgap/reports/charts"
	"github.com/ackgap/ackgap/scenarios"

	_ "github.com/ackgap/ackgap/model/echomq"
)

// lacking skips a test for want of something, or fails it where all is required.
func lacking(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("ACKGAP_REQUIRE") == "all" {
		t.Fatalf("there is no %s, and ACKGAP_REQUIRE is all", what)
	}
	t.Skipf("there is no %s", what)
}

// chromium returns the browser, however it is called here.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	lacking(t, "Chromium")
	return ""
}

// script returns the text of a file of npm.
func script(t *testing.T, name string) string {
	t.Helper()
	folder := os.Getenv("ACKGAP_NPM")
	if folder == "" {
		folder = "../../out/npm"
	}
	text, err := os.ReadFile(filepath.Join(folder, "node_modules", name))
	if err != nil {
		lacking(t, name+" of npm")
	}
	return string(text)
}

// pageOf is what a page may say besides its run: charts, and random worlds.
func pageOf(r *reports.Run) reports.Page {
	worlds := &reports.Worlds{Story: r.Story}
	for seed := range uint64(120) {
		w := reports.World{Seed: seed}
		switch seed % 11 {
		case 3:
			w.Broken = []string{"no-loss"}
		case 5:
			w.May = []string{"no-duplicate-effect"}
		case 7:
			w.Open = []string{"drains"}
		}
		worlds.List = append(worlds.List, w)
	}
	return reports.Page{Tool: "ackgap test", Charts: []reports.Drawing{charts.OfRun(r)}, Worlds: worlds}
}

// runOf runs a story of the catalogue, or one that was made for it.
func runOf(t *testing.T, name string) *reports.Run {
	t.Helper()
	if text, isMade := made[name]; isMade {
		return runText(t, name, text)
	}
	text, err := scenarios.Text(name)
	if err != nil {
		t.Fatal(err)
	}
	return runText(t, name, string(text))
}

func runText(t *testing.T, name, text string) *reports.Run {
	t.Helper()
	story, err := scenarios.Parse(name+".story", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	out, err := story.Run(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return reports.Of(out, scenarios.Title([]byte(text)), "ackgap run "+name)
}

// htmlOf is the page of a story of the catalogue, with all that a page may have.
func htmlOf(t *testing.T, name string) []byte {
	t.Helper()
	r := runOf(t, name)
	return reports.AppendHTML(nil, r, pageOf(r), reports.Style{})
}
