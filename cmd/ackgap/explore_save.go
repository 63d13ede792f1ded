package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ackgap/ackgap/model"
	"github.com/ackgap/ackgap/sim/explore"
)

// resumed opens the saved search that is to be gone on with, if there is one, and looks
// whether one could be saved. Forget closes it.
func (f *exploreFlags) resumed(o *explore.Options) (forget func(), err error) {
	if f.save != "" {
		if err := mayReplace(f.save); err != nil {
			return nil, fmt.Errorf("--save %s: %w", model.Safe(f.save), cause(err))
		}
	}
	if f.resume == "" {
		return func() {}, nil
	}
	file, err := os.Open(f.resume)
	if err != nil {
		return nil, fmt.Errorf("--resume %s: %w", model.Safe(f.resume), cause(err))
	}
	o.Resume = file
	return func() { _ = file.Close() }, nil // it was only read
}

// saved saves a search that has stopped before its end, and says so.
func (f *exploreFlags) saved(errs io.Writer, r *explore.Result) error {
	if f.save == "" || r.Ending != explore.Full && r.Ending != explore.Interrupted {
		return nil
	}
	if err := saveBeside(f.save, r); err != nil {
		return fmt.Errorf("--save %s: %w", model.Safe(f.save), cause(err))
	}
	_, err := fmt.Fprintf(errs, "saved after %s: go on with --resume %s\n", stateCount(r.States), model.Safe(f.save))
	return err
}

// saveBeside writes a search into a file beside name and then gives it that name, so that
// the search that it goes on with is there until it is whole.
func saveBeside(name string, r *explore.Result) error {
	file, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.tmp")
	if err != nil {
		return err
	}
	err = errors.Join(r.Save(file), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		_ = os.Remove(file.Name()) // what went wrong is said by err
	}
	return err
}
