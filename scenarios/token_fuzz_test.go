package scenarios_test

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"runtime"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/scenarios"
)

// FuzzToken reads whatever it is given as a token: as it stands; as what a token packs,
// with the right checksum; and as what stands in one, packed. What is taken for a token
// is written again as one that says the same.
func FuzzToken(f *testing.F) {
	for _, name := range scenarios.Catalogue()[:3] {
		text, err := scenarios.Text(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte("build 0123456789abcdef\n" + string(text)))
	}
	f.Add([]byte("ackgap1.AAAA"))
	f.Add([]byte("\xed\xc1\x01\x01\x00\x00\x00\x80")) // begins a block of deflate
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, s := range []string{string(b), sealed(b), sealed(deflated(t, b))} {
			token, err := scenarios.ParseToken(s)
			if err != nil {
				continue
			}
			if strings.Trim(token.Digest, "0123456789abcdef") != "" {
				t.Errorf("the digest is %q", token.Digest)
			}
			again, err := scenarios.ParseToken(scenarios.NewToken("b", 1, token.Story))
			if err != nil || !bytes.Equal(again.Story.Text(), token.Story.Text()) {
				t.Errorf("read from %q and written again, it is another: %v", s, err)
			}
		}
	})
}

// sealed makes a token of what it packs, as NewToken does.
func sealed(packed []byte) string {
	b := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(packed))
	return "ackgap1." + base64.RawURLEncoding.EncodeToString(append(b, packed...))
}

func deflated(t testing.TB, text []byte) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A token of kilobytes that would unpack to a gigabyte is refused at its limit.
func TestATokenThatUnpacksToTooMuchIsRefused(t *testing.T) {
	bomb := sealed(deflated(t, bytes.Repeat([]byte("# "), 40<<20)))
	if len(bomb) > 1<<20 {
		t.Fatalf("the bomb has %d bytes", len(bomb))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := scenarios.ParseToken(bomb); err == nil {
		t.Error("it is taken for a token")
	}
	runtime.ReadMemStats(&after)
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 80 {
		t.Errorf("it took %d MiB to see that", took)
	}
}
