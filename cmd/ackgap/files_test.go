package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What is replaced keeps its mode, a link to it remains a link, and nothing is left
// beside it.
func TestAFileIsReplacedBehindItsLink(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "my.story"), filepath.Join(dir, "link.story")
	if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("my.story", link); err != nil {
		t.Skip(err)
	}
	if err := replaceFile(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(file)
	if err != nil || info.Mode() != 0o600 || readFile(t, file) != "new" {
		t.Errorf("the file is %v and says %q (%v)", info.Mode(), readFile(t, file), err)
	}
	if to, err := os.Readlink(link); to != "my.story" {
		t.Errorf("the link leads to %q (%v)", to, err)
	}
	if names, _ := os.ReadDir(dir); len(names) != 2 {
		t.Errorf("the folder holds %v", names)
	}
}

// Where the new text cannot be written whole the old one stands, and nothing is
// left beside it. The name is too long to have one beside it.
func TestAFileThatCannotBeReplacedStaysAsItWas(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, strings.Repeat("n", 255))
	if err := os.WriteFile(name, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := replaceFile(name, []byte("new")); err == nil || readFile(t, name) != "old" {
		t.Errorf("%v, and the file says %q", err, readFile(t, name))
	}
	if names, _ := os.ReadDir(dir); len(names) != 1 {
		t.Errorf("the folder holds %v", names)
	}
}

// Two names lead to one file however they are spelled and linked, and before it exists.
func TestTheRealPathOfAFileIsOne(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for link, target := range map[string]string{"link": "f", "to-link": "link", "folder": "."} {
		if err := os.Symlink(target, link); err != nil {
			t.Skip("no links here:", err)
		}
	}
	want := realPath("f")
	for _, exists := range []bool{false, true} {
		if exists {
			if err := os.WriteFile("f", nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range []string{"./f", "x/../f", filepath.Join(dir, "f"), "link", "to-link", "folder/f", "folder/link"} {
			if got := realPath(name); got != want {
				t.Errorf("%s leads to %s, want %s", name, got, want)
			}
		}
	}
	if realPath("g") == want || realPath("-") != "-" {
		t.Error("other files are taken for f")
	}
}
