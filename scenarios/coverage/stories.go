package coverage

import (
	"embed"
	"strings"
)

// The stories whose random worlds reach every cell between them.
//
//go:embed stories/*.story
var stories embed.FS

const folder = "stories"

// Stories returns the texts of the stories whose random worlds together reach every
// cell that can occur, and what messages call them, by name.
func Stories() (names []string, texts [][]byte) {
	entries, err := stories.ReadDir(folder)
	if err != nil {
		panic("coverage: the stories are not in the program: " + err.Error())
	}
	for _, e := range entries {
		text, err := stories.ReadFile(folder + "/" + e.Name())
		if err != nil {
			panic("coverage: " + err.Error())
		}
		names, texts = append(names, strings.TrimSuffix(e.Name(), ".story")), append(texts, text)
	}
	return names, texts
}
