package valkey

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// serverNames are what a server is called where it is installed, the first that
// is found is taken.
var serverNames = []string{"valkey-server", "redis-server"}

// FindServer returns the path of the server that `valkey=spawn` would begin.
// The error says what to install.
func FindServer() (string, error) {
	for _, name := range serverNames {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("neither valkey-server nor redis-server is installed here; install one (Debian: apt-get install redis-server), or leave out =spawn for the embedded server")
}

// spawn begins a server for one queue, and opens the queue on it.
func spawn(s *scripts) (*Queue, error) {
	path, err := FindServer()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "ackgap-")
	if err != nil {
		return nil, err
	}
	p := &process{dir: dir, socket: filepath.Join(dir, "s"), cmd: exec.Command(path, "-")}
	if err := p.start(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), p.stop())
	}
	c, err := p.connect()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), p.stop())
	}
	q, err := openOn(c, "ackgap", s)
	if err != nil {
		_ = c.close()
		return nil, errors.Join(err, p.stop())
	}
	q.onClose = append(q.onClose, p.stop)
	return q, nil
}

// process is a server that was begun here.
type process struct {
	dir, socket string
	cmd         *exec.Cmd
	over        chan error // what it ended with
}

// start begins the server with nothing but a socket that only this user can
// open: no port, no file, no background save.
func (p *process) start() error {
	config, err := p.cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	p.over = make(chan error, 1)
	go func() { p.over <- p.cmd.Wait() }()
	_, err = fmt.Fprintf(config, "port 0\nunixsocket %s\nunixsocketperm 700\ndir %s\nsave \"\"\nappendonly no\ndaemonize no\n", p.socket, p.dir)
	return errors.Join(err, config.Close())
}

// connect waits until the server listens.
func (p *process) connect() (*conn, error) {
	const patience, pause = 10 * time.Second, 5 * time.Millisecond
	for waited := time.Duration(0); ; waited += pause {
		c, err := dial("unix:"+p.socket, callTimeout)
		if err == nil {
			return c, nil
		}
		select {
		case over := <-p.over:
			p.over <- over
			return nil, fmt.Errorf("it ended before it listened: %v", over)
		case <-time.After(pause):
		}
		if waited > patience {
			return nil, fmt.Errorf("it does not listen after %v: %w", patience, err)
		}
	}
}

// stop ends the server and removes its folder.
func (p *process) stop() error {
	if p.over != nil {
		_ = p.cmd.Process.Kill() // it has nothing to save, and may have ended
		<-p.over
	}
	return os.RemoveAll(p.dir)
}
