package simtest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The blocks of Go in the README's part for consumers, in their order.
func readmeBlocks(t *testing.T, root string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(text), "## For your consumer\n")
	part, _, _ = strings.Cut(part, "\n## ")
	var blocks []string
	for _, m := range regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(part, -1) {
		blocks = append(blocks, m[1])
	}
	if len(blocks) != 3 {
		t.Fatalf("%d blocks of Go, want 3", len(blocks))
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

func TestAModuleOfSomebodyElseChecksItsConsumerByTheReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a module")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	faulty, right, payment := "", "", ""
	for i, p := range []*string{&faulty, &right, &payment} {
		*p = readmeBlocks(t, root)[i]
	}
	s := newShop(t, root)
	s.write("ship_test.go", faulty)
	out, err := s.test("TestShip")
	for _, says := range []string{"BROKEN        no-duplicate-effect", "fault pause w1 before=write J1#1 for=45s", "ACKGAP_REPLAY=", "kept: testdata"} {
		if err == nil || !strings.Contains(out, says) {
			t.Errorf("no %q in\n%s", says, out)
		}
	}
	s.write("ship_test.go", strings.Replace(faulty, faulty[strings.Index(faulty, "func ship"):strings.Index(faulty, "func TestShip")], right+"\n", 1))
	s.write("pay_test.go", payment)
	if out, err := s.test("."); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
