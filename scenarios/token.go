package scenarios

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"io"
	"strings"

	"github.com/ackgap/ackgap/model"
)

// A token is one run in a string that can be pasted: the format's version, the
// build that made it, the digest of the history, and the story with its seed and
// its plan. It stands alone: the story may be of a file that nobody has any more.
//
//	ackgap1.<base64url of deflate of "BUILD DIGEST\nSTORY">
const tokenPrefix = "ackgap1."

// maxToken is the size in bytes up to which a token's story is unpacked, so that
// a hostile token cannot fill the memory.
const maxToken = 8 << 20

// Token is what a token holds.
type Token struct {
	Build  string // which program made it; empty when it does not know
	Digest string // of the history, as model.Digest prints it
	Story  *Story
}

// NewToken returns the token of the run of s that left digest.
func NewToken(build string, digest model.Digest, s *Story) string {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		panic("scenarios: deflate refuses its own best level: " + err.Error())
	}
	fmt.Fprintf(w, "%s %s\n%s", build, digest, s.Text())
	if err := w.Close(); err != nil {
		panic("scenarios: a buffer cannot be written: " + err.Error())
	}
	return tokenPrefix + base64.RawURLEncoding.EncodeToString(packed.Bytes())
}

// IsToken reports whether s looks like a token, of this version or another.
func IsToken(s string) bool { return strings.HasPrefix(s, "ackgap") && strings.Contains(s, ".") }

// ParseToken reads a token. The error says what is wrong with it.
func ParseToken(s string) (*Token, error) {
	body, ok := strings.CutPrefix(strings.TrimSpace(s), tokenPrefix)
	if !ok {
		return nil, fmt.Errorf("a token begins with %q; this one is of another version or no token", tokenPrefix)
	}
	packed, err := base64.RawURLEncoding.DecodeString(body)
	if err != nil {
		return nil, fmt.Errorf("the token is damaged (%w): was it copied whole?", err)
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxToken+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the token is damaged (%w): was it copied whole?", err)
	case len(text) > maxToken:
		return nil, fmt.Errorf("the token unpacks to more than %d bytes", maxToken)
	}
	head, story, ok := bytes.Cut(text, []byte("\n"))
	build, digest, spaced := strings.Cut(string(head), " ")
	if !ok || !spaced || len(digest) != len(model.Digest(0).String()) {
		return nil, fmt.Errorf("the token is damaged: it does not begin with a build and a digest")
	}
	t := &Token{Build: build, Digest: digest}
	if t.Story, err = Parse("token", story); err != nil {
		return nil, fmt.Errorf("the token's story is refused:\n%w", err)
	}
	return t, nil
}
