package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/scenarios"
)

// maxStory is the size in bytes up to which a story is read.
const maxStory = 16 << 20

// source is one story to run: where it is from, and its text.
type source struct {
	arg  string // what runs it again: a name, a file or -
	file string // what messages call it
	disk bool   // it is a file that can be rewritten
	text []byte
}

// isInput reports whether it is standard input, which is not there to be read again.
func (s *source) isInput() bool { return s.arg == "-" }

// told is what a sentence calls it.
func (s *source) told() string {
	if s.isInput() {
		return "standard input"
	}
	return s.arg
}

// patience is how long an interrupt waits for what is being read.
const patience = time.Second

// stories opens and parses the stories that args name, or the whole catalogue
// where they name none.
func (s *streams) stories(ctx context.Context, args []string) ([]source, []*scenarios.Story, error) {
	if len(args) == 0 {
		args = scenarios.Catalogue()
	}
	sources, err := s.open(ctx, args)
	if err != nil {
		return nil, nil, err
	}
	stories, err := (&runFlags{}).parse(sources)
	return sources, stories, err
}

// open reads the stories that args name, as readSources does. A terminal or a pipe
// may never come to its end: an interrupt does not wait for it.
func (s *streams) open(ctx context.Context, args []string) ([]source, error) {
	read := make(chan struct{})
	var found []source
	var failed error
	go func() {
		defer close(read)
		found, failed = s.readSources(args)
	}()
	select {
	case <-read:
		return found, failed
	case <-ctx.Done():
	}
	select {
	case <-read:
		return found, failed
	case <-time.After(patience):
		return nil, ctx.Err()
	}
}

// readSources reads the stories that args name. Each is the name of a catalogue
// story, a file, a folder of *.story files, a pattern of either, or - for standard
// input. All complaints come together.
func (s *streams) readSources(args []string) ([]source, error) {
	var all []source
	var errs []error
	for _, arg := range args {
		found, err := s.resolve(arg)
		all = append(all, found...)
		errs = append(errs, err)
	}
	return all, errors.Join(errs...)
}

func (s *streams) resolve(arg string) ([]source, error) {
	if arg == "-" {
		text, err := readAll(s.in, "standard input")
		return []source{{arg: arg, file: "<stdin>", text: text}}, err
	}
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		return openFolder(arg)
	case err == nil:
		return openFiles([]string{arg})
	case strings.ContainsAny(arg, "*?["):
		return openPattern(arg)
	case !errors.Is(err, fs.ErrNotExist) || looksLikeFile(arg):
		return nil, fmt.Errorf("%s: %w", script.Quote(arg), cause(err))
	}
	return openShipped(arg)
}

// cause strips the call and the path, which the message names already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func looksLikeFile(arg string) bool {
	return strings.HasSuffix(arg, ".story") || strings.HasPrefix(arg, ".") || filepath.IsAbs(arg)
}

// openFolder opens the *.story files of a folder, and looks into none below.
func openFolder(dir string) ([]source, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.story"))
	if err != nil {
		return nil, fmt.Errorf("%s is no pattern: %w", script.Quote(dir), err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("the folder %s holds no file *.story", script.Quote(dir))
	}
	return openFiles(files)
}

// openPattern opens the files that match, or the stories of the catalogue whose
// names do when no file matches.
func openPattern(pattern string) ([]source, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("%s is no pattern: %w", script.Quote(pattern), err)
	}
	if len(files) > 0 {
		return openFiles(files)
	}
	var all []source
	for _, name := range scenarios.Catalogue() {
		if ok, _ := path.Match(pattern, name); ok {
			found, err := openShipped(name)
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s matches no file and no story of the catalogue (`ackgap list` shows them)", script.Quote(pattern))
	}
	return all, nil
}

func openFiles(files []string) ([]source, error) {
	slices.Sort(files)
	var all []source
	var errs []error
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", script.Quote(name), cause(err)))
			continue
		}
		text, err := readAll(f, name)
		errs = append(errs, err, f.Close())
		all = append(all, source{arg: name, file: name, disk: true, text: text})
	}
	return all, errors.Join(errs...)
}

func openShipped(name string) ([]source, error) {
	text, err := scenarios.Text(name)
	if err != nil {
		return nil, fmt.Errorf("%w (`ackgap list` shows them; or name a file)", err)
	}
	return []source{{arg: name, file: name + ".story", text: text}}, nil
}

func readAll(r io.Reader, name string) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxStory+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, cause(err))
	case len(text) > maxStory:
		return nil, fmt.Errorf("%s: a story may have %d bytes, and this one has more", name, maxStory)
	}
	return bytes.TrimPrefix(text, []byte(byteOrderMark)), nil
}
