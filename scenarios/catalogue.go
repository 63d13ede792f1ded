package scenarios

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
)

// The stories that come with ackgap, each opening with why it exists.
//
//go:embed stories
var shipped embed.FS

const (
	shippedRoot = "stories"
	shippedExt  = ".story"
)

// Catalogue returns the names of the stories that come with ackgap, sorted.
func Catalogue() []string {
	var names []string
	walk := func(file string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(file) == shippedExt {
			name := strings.TrimPrefix(file, shippedRoot+"/")
			names = append(names, strings.TrimSuffix(name, shippedExt))
		}
		return err
	}
	if err := fs.WalkDir(shipped, shippedRoot, walk); err != nil {
		panic(fmt.Sprintf("scenarios: the embedded stories cannot be listed: %v", err))
	}
	slices.Sort(names) // by name: "lost-ack.story" walks behind "lost-ack-reply.story"
	return names
}

// Text returns the text of the catalogue's story called name. The error says
// which name is near.
func Text(name string) ([]byte, error) {
	text, err := shipped.ReadFile(path.Join(shippedRoot, name) + shippedExt)
	if err != nil {
		return nil, unknown(name)
	}
	return text, nil
}

// unknown names what is near to name: nobody reads the names of the whole catalogue
// in one line.
func unknown(name string) error {
	all := Catalogue()
	if i := slices.IndexFunc(all, func(full string) bool { return strings.HasSuffix(full, "/"+name) }); i >= 0 {
		return fmt.Errorf("unknown story %s; did you mean %q?", script.Quote(name), all[i])
	}
	if near, ok := script.Nearest(name, all); ok {
		return fmt.Errorf("unknown story %s; did you mean %q?", script.Quote(name), near)
	}
	return fmt.Errorf("unknown story %s; none of the %d in the catalogue is named like it", script.Quote(name), len(all))
}

// Load parses the catalogue's story called name.
func Load(name string) (*Story, error) {
	text, err := Text(name)
	if err != nil {
		return nil, err
	}
	return Parse(path.Base(name)+shippedExt, text)
}

// Title returns the first paragraph of the comment that a story opens with, as
// one line, or "" when it opens with none.
func Title(text []byte) string {
	var words []string
	for line := range strings.Lines(string(text)) {
		comment, ok := strings.CutPrefix(strings.TrimSpace(line), "#")
		if !ok || strings.TrimSpace(comment) == "" {
			break
		}
		words = append(words, strings.Fields(comment)...)
	}
	return strings.Join(words, " ")
}
