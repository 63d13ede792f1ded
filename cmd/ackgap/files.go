package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ackgap/ackgap/faults/script"
)

// replaceFile makes text the whole of the file called name, or leaves the file as
// it was: a full disk or an interrupt must not cost a story that somebody wrote. It
// keeps the file's mode, and a link to it remains one. A device is written as it is.
func replaceFile(name string, text []byte) error {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return writeBeside(name, text, 0o644)
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return os.WriteFile(name, text, 0o644)
	}
	if name, err = filepath.EvalSymlinks(name); err != nil {
		return err
	}
	if err := mayWrite(name); err != nil {
		return err
	}
	return writeBeside(name, text, info.Mode().Perm())
}

// mayReplace reports why replaceFile could not write a file called name. It leaves
// nothing behind.
func mayReplace(name string) error {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("is a folder; name a file in it")
	case !info.Mode().IsRegular():
		return nil
	default:
		if err := mayWrite(name); err != nil {
			return err
		}
	}
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.tmp")
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("there is no folder %s; make it first", script.Quote(filepath.Dir(name)))
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// realPath is the file that name leads to, however it is spelled and through whatever
// links, also where there is none yet. Standard output (-) is itself.
func realPath(name string) string {
	if name == "-" {
		return name
	}
	const links = 40 // as many as Linux follows
	for range links {
		target, err := os.Readlink(name)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(name), target)
		}
		name = target
	}
	if abs, err := filepath.Abs(name); err == nil {
		name = abs
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		name = filepath.Join(folder, filepath.Base(name))
	}
	return name
}

// mayWrite refuses what a folder would let us replace, but whose own mode says no.
func mayWrite(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// writeBeside writes a file beside name and then gives it that name.
func writeBeside(name string, text []byte, mode os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(mode), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // what went wrong is said by err
	}
	return err
}
