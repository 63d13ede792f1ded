package simtest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// goBlocks returns the blocks of Go in a file of the repository, in their order.
// Of the README only the part about code of one's own counts.
func goBlocks(t *testing.T, root, file string, want int) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	part := string(text)
	if file == "README.md" {
		_, part, _ = strings.Cut(part, "## For your own code\n")
		part, _, _ = strings.Cut(part, "\n## ")
	}
	var blocks []string
	for _, m := range regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(part, -1) {
		blocks = append(blocks, m[1])
	}
	if len(blocks) != want {
		t.Fatalf("%s has %d blocks of Go, want %d", file, len(blocks), want)
	}
	return blocks
}

// shop is a module of somebody else, outside of this repository.
type shop struct {
	t   *testing.T
	dir string
}

func newShop(t *testing.T, root string) *shop {
	t.Helper()
	s := &shop{t, t.TempDir()}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	s.write("go.sum", string(sums))
	s.write("go.mod", "module example.org/shop\n\ngo 1.26\n\nrequire github.com/ackgap/ackgap v0.0.0\n\nreplace github.com/ackgap/ackgap => "+root+"\n")
	return s
}

func (s *shop) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// test runs `go test` there, on what is downloaded already.
func (s *shop) test(pattern string) (string, error) {
	cmd := exec.Command("go", "test", "-mod=mod", "-count=1", "-run", pattern, ".")
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// replace puts new in place of what text has from one word to another.
func replace(t *testing.T, text, from, to, by string) string {
	t.Helper()
	i := strings.Index(text, from)
	j := strings.Index(text, to)
	if i < 0 || j < i {
		t.Fatalf("no %q before %q in\n%s", from, to, text)
	}
	return text[:i] + by + "\n" + text[j:]
}

// fails runs a test there, which has to fail and to say all this.
func (s *shop) fails(pattern string, says ...string) {
	s.t.Helper()
	out, err := s.test(pattern)
	for _, part := range says {
		if err == nil || !strings.Contains(out, part) {
			s.t.Errorf("no %q in\n%s", part, out)
		}
	}
}

// holds runs a test there, which has to pass.
func (s *shop) holds(pattern string) {
	s.t.Helper()
	if out, err := s.test(pattern); err != nil {
		s.t.Errorf("%v\n%s", err, out)
	}
}

// repository returns the root, of whose text a module is made.
func repository(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds a module")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestAModuleOfSomebodyElseChecksItsConsumerByTheReadme(t *testing.T) {
	root := repository(t)
	faulty := goBlocks(t, root, "README.md", 2)[0]
	manual := goBlocks(t, root, "reports/docs/simtest.md", 4)
	right, payment := manual[0], manual[1]
	s := newShop(t, root)
	s.write("ship_test.go", faulty)
	s.fails("TestShip", "BROKEN        no-duplicate-effect", "fault pause w1 before=write J1#1 for=45s", "ACKGAP_REPLAY=", "kept: testdata")
	s.write("ship_test.go", replace(t, faulty, "func ship", "func TestShip", right))
	s.write("pay_test.go", payment)
	s.holds(".")
}

func TestAModuleOfSomebodyElseChecksItsQueueByTheReadme(t *testing.T) {
	root := repository(t)
	check := goBlocks(t, root, "README.md", 2)[1]
	manual := goBlocks(t, root, "reports/docs/simtest.md", 4)
	queue, repair := manual[2], manual[3]
	s := newShop(t, root)
	s.write("queue.go", queue)
	s.write("queue_test.go", check)
	s.holds("TestQueueClaims")
	s.fails("TestQueue$", "BROKEN        stale-token-rejected", "fault delay retry J2#2 by=30s", "ACKGAP_REPLAY=", "kept: testdata")
	const byID = "\tcase (req.Op == model.OpComplete || req.Op == model.OpRetry) && i < 0:\n"
	if !strings.Contains(queue, byID) {
		t.Fatalf("no %q in\n%s", byID, queue)
	}
	s.write("queue.go", strings.Replace(queue, byID, repair, 1))
	s.write("queue_test.go", strings.Replace(check, "newQueue, queuetest.Exclusive)", "newQueue, queuetest.Exclusive, queuetest.Fence)", 1))
	s.holds(".")
}
