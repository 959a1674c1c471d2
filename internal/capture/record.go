package capture

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/occlint/occlint/internal/ptx"
)

// A record file is three parts: a line with the format's name, its version and
// the hash of all that follows; a line of JSON; and the compiler's output as it
// came. The log stands in it unencoded so that a place in it is a line of the
// file, for a person with an editor too.
const (
	recordMagic   = "occlint-record"
	recordVersion = 1
	recordHeader  = 2 // lines before the log
)

// Record is what one compiler call said, and what it takes to tell later
// whether that still holds.
type Record struct {
	State   state     `json:"state"`
	Outputs []string  `json:"outputs"` // canonical paths
	Sources []string  `json:"sources,omitempty"`
	Dir     string    `json:"directory"`         // the compiler's working directory
	Records string    `json:"records"`           // the directory that the record was written to
	Command []string  `json:"command,omitempty"` // the whole command line as it was given
	Step    string    `json:"step"`              // compile, device-link, link, archive
	Arch    []string  `json:"arch,omitempty"`
	Flags   []string  `json:"flags,omitempty"` // those that change the kernels
	Tool    Compiler  `json:"compiler"`
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended,omitzero"`
	Cache   string    `json:"cache,omitempty"` // the compiler cache in front

	// Object and Inputs are what the files were like, in the order of Outputs
	// and Sources.
	Object []fileState `json:"output_state,omitempty"`
	Inputs []fileState `json:"source_state,omitempty"`
	// Headers are the files that the sources included, as far as the call
	// wrote a dependency file and they belong to no toolkit or system.
	Headers []string `json:"headers,omitempty"`
	// HeaderState is what they were like after the call, without checksums:
	// there can be thousands.
	HeaderState []fileState `json:"header_state,omitempty"`

	// PTX is what the compilation's PTX declares of each entry.
	PTX []ptx.Entry `json:"ptx,omitempty"`
	// Links are the files that a link took device code from.
	Links []linkInput `json:"links,omitempty"`

	Log []byte `json:"-"`
}

// state is what became of the compiler call.
type state string

const (
	// stateRecorded: the call succeeded, the log is its resource usage.
	stateRecorded state = "recorded"
	// stateStarted: the call has begun. A call that is killed leaves it so.
	stateStarted state = "started"
	// stateFailed: the compiler failed.
	stateFailed state = "failed"
	// stateSilent: the call succeeded and something in between swallowed the
	// resource usage: a compiler cache that stored the object without it.
	stateSilent state = "silent"
	// stateUnread: the call succeeded, and nothing here knows its compiler.
	stateUnread state = "unread"
)

// Compiler is the compiler of a record.
type Compiler struct {
	Path    string `json:"path"`
	Version string `json:"version,omitempty"` // "12.4.131"; empty when it did not say
}

// fileState tells whether a file changed: at once by size and time, and by its
// content where the time alone moved (a touch, a restored cache).
type fileState struct {
	Bytes    int64     `json:"bytes"`
	Modified time.Time `json:"modified"`
	CRC32C   uint32    `json:"crc32c"`
}

// castagnoli is the polynomial that processors compute in hardware. Its table
// is made when first used: it takes longer than most starts of this program.
var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

// maxChecksummed bounds what the checksum of one file may cost a build: above
// it, size and time must do.
const maxChecksummed = 64 << 20

func stateOf(path string) (fileState, error) {
	info, err := os.Stat(path)
	if err != nil {
		return fileState{}, err
	}
	if !staysPut(path) {
		return fileState{}, errNotRegular
	}
	s := fileState{Bytes: info.Size(), Modified: info.ModTime().UTC()}
	if s.Bytes <= maxChecksummed {
		s.CRC32C, err = checksum(path)
	}
	return s, err
}

// sizeAndTime is a fileState without the checksum; the zero value for a file
// that is not there.
func sizeAndTime(path string) fileState {
	info, err := os.Stat(path)
	if err != nil {
		return fileState{}
	}
	return fileState{Bytes: info.Size(), Modified: info.ModTime().UTC()}
}

func checksum(path string) (uint32, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }() // read only
	h := crc32.New(castagnoli())
	_, err = io.Copy(h, f)
	return h.Sum32(), err
}

// changed reports whether the file at path is another than s describes. A
// missing file is an error.
func (s fileState) changed(path string) (bool, error) {
	info, err := os.Stat(path)
	if err != nil {
		return false, err
	}
	if info.Size() != s.Bytes || !info.Mode().IsRegular() {
		return true, nil
	}
	if info.ModTime().Equal(s.Modified) {
		return false, nil
	}
	if s.Bytes > maxChecksummed {
		return true, nil
	}
	sum, err := checksum(path)
	return sum != s.CRC32C, err
}

// encode writes the record file's content.
func (r *Record) encode() ([]byte, error) {
	header, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	body := slices.Concat(header, []byte{'\n'}, r.Log)
	sum := sha256.Sum256(body)
	first := fmt.Sprintf("%s %d %s\n", recordMagic, recordVersion, hex.EncodeToString(sum[:]))
	return append([]byte(first), body...), nil
}

// errNewer marks a record that a later version of this program wrote.
var errNewer = errors.New("written by a newer occlint")

// decode reads what encode wrote, and trusts nothing that the hash does not
// cover.
func decode(data []byte) (*Record, error) {
	first, body, _ := bytes.Cut(data, []byte{'\n'})
	words := strings.Fields(string(first))
	if len(words) != 3 || words[0] != recordMagic {
		return nil, errors.New("it does not begin like a record")
	}
	if words[1] != strconv.Itoa(recordVersion) {
		return nil, fmt.Errorf("%w: format %s, this one reads %d", errNewer, words[1], recordVersion)
	}
	if sum := sha256.Sum256(body); words[2] != hex.EncodeToString(sum[:]) {
		return nil, errors.New("its content does not match its hash")
	}
	header, log, _ := bytes.Cut(body, []byte{'\n'})
	r := &Record{}
	if err := json.Unmarshal(header, r); err != nil {
		return nil, fmt.Errorf("its header can't be read: %w", err)
	}
	if len(r.Outputs) == 0 {
		return nil, errors.New("it names no output")
	}
	r.Log = log
	return r, nil
}
