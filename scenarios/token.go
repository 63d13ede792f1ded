package scenarios

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"github.com/ackgap/ackgap/faults/script"
	"github.com/ackgap/ackgap/model"
)

// A token is one run in a string that can be pasted: the format's version, a
// checksum, the build that made it, the digest of the history, and the story with
// its seed and its plan. It stands alone: the story may be of a file that nobody
// has any more.
//
//	ackgap1.<base64url of CHECKSUM and of deflate of "BUILD DIGEST\nSTORY">
//
// The checksum is the CRC-32 (IEEE 802.3) of what follows it, four bytes, most
// significant first. It finds every burst of up to 32 damaged bits, and all but
// one in 2^32 of worse accidents, so that a damaged token is refused rather than
// taken for another story. It does not protect from who forges one.
const tokenPrefix = "ackgap1."

// maxToken is the size in bytes up to which a token is unpacked, so that a
// hostile one cannot fill the memory. A story whose text is longer has no token
// that could be read.
const maxToken = 16 << 20

const checksumSize = 4

// encoding refuses what its decoder would otherwise take for the same bytes, so
// that each token is written in one way only.
var encoding = base64.RawURLEncoding.Strict()

// Token is what a token holds.
type Token struct {
	Build  string // which program made it: one word
	Digest string // of the history, as model.Digest prints it
	Story  *Story
}

// NewToken returns the token of the run of s that left digest. Build is one word
// that tells the program that ran it from others.
func NewToken(build string, digest model.Digest, s *Story) string {
	packed := bytes.NewBuffer(make([]byte, checksumSize))
	w, err := flate.NewWriter(packed, flate.BestCompression)
	if err != nil {
		panic("scenarios: deflate refuses its own best level: " + err.Error())
	}
	fmt.Fprintf(w, "%s %s\n%s", build, digest, s.Text())
	if err := w.Close(); err != nil {
		panic("scenarios: a buffer cannot be written: " + err.Error())
	}
	b := packed.Bytes()
	binary.BigEndian.PutUint32(b, crc32.ChecksumIEEE(b[checksumSize:]))
	return tokenPrefix + encoding.EncodeToString(b)
}

// IsToken reports whether s looks like a token, of this version or another.
func IsToken(s string) bool {
	rest, ok := strings.CutPrefix(s, "ackgap")
	version, _, dotted := strings.Cut(rest, ".")
	return ok && dotted && version != "" && strings.Trim(version, "0123456789") == ""
}

// ParseToken reads a token; space around it and line breaks within do not count.
// The error says what is wrong with it. When that is the story alone, as with one whose
// Go code this program has not, the token is returned beside the error without its story.
func ParseToken(s string) (*Token, error) {
	body, ok := strings.CutPrefix(strings.TrimSpace(s), tokenPrefix)
	if !ok {
		return nil, fmt.Errorf("a token begins with %q; this one is of another version or no token", tokenPrefix)
	}
	text, err := unpack(body)
	if err != nil {
		return nil, err
	}
	head, story, _ := bytes.Cut(text, []byte("\n"))
	build, digest, _ := strings.Cut(string(head), " ")
	if !isDigest(digest) {
		return nil, errors.New("the token does not begin with a build and a digest")
	}
	return tokenOf("the token's", "token", build, digest, story)
}

// TokenOf is what a token of a run would hold that is kept in another form, in file: as
// ParseToken returns it, with errors that name the file.
func TokenOf(file, build, digest string, story []byte) (*Token, error) {
	if !isDigest(digest) {
		return nil, fmt.Errorf("%s: its digest is none: %d digits from 0 to f", file, len(model.Digest(0).String()))
	}
	return tokenOf(file+": its", file, build, digest, story)
}

// isDigest reports whether s is written as a digest is: it will be printed.
func isDigest(s string) bool {
	return len(s) == len(model.Digest(0).String()) && strings.Trim(s, "0123456789abcdef") == ""
}

// tokenOf reads the story of a token, or of what whose names; in its errors it is file.
func tokenOf(whose, file, build, digest string, story []byte) (*Token, error) {
	t := &Token{Build: build, Digest: digest}
	var err error
	if t.Story, err = Parse(file, story); err != nil {
		return t, fmt.Errorf("%s story is refused:\n%w", whose, err)
	}
	if name, address, ok := strings.Cut(t.Story.Queue.Backend, "="); ok { // it may be a stranger's
		return nil, fmt.Errorf("%s story asks for the server %s: a kept run reaches no server; write its story to a file and run that with backend=%s", whose, script.Quote(address), name)
	}
	return t, nil
}

var errDamaged = errors.New("the token is damaged: was it copied whole?")

// unpack returns the text behind the prefix of a token.
func unpack(body string) ([]byte, error) {
	b, err := encoding.DecodeString(body)
	if err != nil || len(b) < checksumSize {
		return nil, errDamaged
	}
	packed := b[checksumSize:]
	if binary.BigEndian.Uint32(b) != crc32.ChecksumIEEE(packed) {
		return nil, errDamaged
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxToken+1))
	switch {
	case err != nil:
		return nil, errDamaged
	case len(text) > maxToken:
		return nil, fmt.Errorf("the token unpacks to more than %d bytes", maxToken)
	}
	return text, nil
}
