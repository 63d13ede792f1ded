package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

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
	if f.resume == f.save && errors.Is(err, os.ErrNotExist) {
		return func() {}, nil // the first start of what may be killed
	}
	if err != nil {
		return nil, fmt.Errorf("--resume %s: %w", model.Safe(f.resume), cause(err))
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return nil, errors.Join(fmt.Errorf("--resume %s: is a folder; name the file of a saved search", model.Safe(f.resume)), file.Close())
	}
	o.Resume = file
	return func() { _ = file.Close() }, nil // it was only read
}

// saved saves a search that has stopped before its end, and says so.
func (f *exploreFlags) saved(errs io.Writer, r *explore.Result) error {
	if f.save == "" || r.Ending != explore.Full && r.Ending != explore.Interrupted {
		return nil
	}
	if err := saveBeside(f.save, r.Save); err != nil {
		return fmt.Errorf("--save %s: %w", model.Safe(f.save), cause(err))
	}
	_, err := fmt.Fprintf(errs, "saved after %s: go on with --resume %s\n", stateCount(r.States), model.Safe(f.save))
	return err
}

// keeper saves a search now and then, so that one that is killed can be gone on with.
type keeper struct {
	file  string
	errs  io.Writer
	every time.Duration
	next  time.Time
	quiet bool // it has failed, and said so
}

// saveShare is how many times longer than its last save took a search goes on before
// the next: a large one is not to spend its time on saving.
const saveShare = 20

// keeper returns what saves the search beside its going on, or nil.
func (f *exploreFlags) keeper(errs io.Writer) func(save func(io.Writer) error) {
	if f.save == "" {
		return nil
	}
	k := &keeper{file: f.save, errs: errs, every: f.saveEvery, next: time.Now().Add(f.saveEvery)}
	return k.keep
}

func (k *keeper) keep(save func(io.Writer) error) {
	began := time.Now()
	if began.Before(k.next) {
		return
	}
	if err := saveBeside(k.file, save); err != nil && !k.quiet {
		k.quiet = true
		fmt.Fprintf(k.errs, "ackgap: --save %s: %v; the search goes on\n", model.Safe(k.file), cause(err))
	}
	now := time.Now()
	k.next = now.Add(max(k.every, saveShare*now.Sub(began)))
}

// saveBeside writes a file beside name and then gives it that name, so that what stands
// in it is whole whenever the program is killed. What a kill leaves beside it is written
// over the next time.
func saveBeside(name string, save func(io.Writer) error) error {
	file, err := os.Create(name + ".tmp")
	if err != nil {
		return err
	}
	err = errors.Join(save(file), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		_ = os.Remove(file.Name()) // what went wrong is said by err
	}
	return err
}
