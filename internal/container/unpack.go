package container

import (
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// method is how the bytes of an entry are packed.
type method uint8

const (
	stored method = iota
	lz4Block
	zstdFrame
	none // not unpacked at all: the entry is only named
)

const (
	// lz4Ratio is the most that a byte of an LZ4 block can stand for: one
	// more byte of length adds 255.
	lz4Ratio = 255
	// zstdRatio is far above what device code reaches (about 15), and keeps a
	// small file that promises gigabytes from getting them at once.
	zstdRatio = 4096
)

// buffers is the memory of one worker, used for one entry after the other.
type buffers struct {
	packed, plain []byte
	zstd          *zstd.Decoder
}

// unpack returns the bytes of an entry. They are good until the next call.
func (b *buffers) unpack(it *item) ([]byte, error) {
	if it.Size > MaxEntry {
		return nil, fmt.Errorf("%d bytes in one entry; up to %d are read", it.Size, MaxEntry)
	}
	if it.method == stored {
		if plain, ok := lent(it.src, it.Offset, it.Size); ok {
			return plain, nil
		}
	}
	packed := grow(&b.packed, it.Size)
	if n, err := it.src.ReadAt(packed, it.Offset); int64(n) < it.Size {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	switch it.method {
	case lz4Block:
		if it.unpacked == 0 { // the decoder's assembly writes to the first byte of the room that it is given
			return nil, errors.New("an LZ4 block that promises no bytes")
		}
		if it.unpacked > it.Size*lz4Ratio+lz4Ratio {
			return nil, fmt.Errorf("%d bytes of LZ4 cannot unpack to %d", it.Size, it.unpacked)
		}
		plain := grow(&b.plain, it.unpacked)
		n, err := lz4.UncompressBlock(packed, plain)
		if err != nil {
			return nil, fmt.Errorf("LZ4: %w", err)
		}
		return complete(plain[:n], it.unpacked)
	case zstdFrame:
		return b.unzstd(packed, it.unpacked)
	default:
	}
	return packed, nil
}

func (b *buffers) unzstd(packed []byte, unpacked int64) ([]byte, error) {
	if unpacked > int64(len(packed))*zstdRatio {
		return nil, fmt.Errorf("%d bytes of zstd that would unpack to %d", len(packed), unpacked)
	}
	var header zstd.Header
	if err := header.Decode(packed); err == nil && header.HasFCS && header.FrameContentSize != uint64(unpacked) {
		return nil, fmt.Errorf("zstd: a frame of %d bytes where the entry says %d", header.FrameContentSize, unpacked)
	}
	if b.zstd == nil {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MaxEntry), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, err
		}
		b.zstd = d
	}
	plain, err := b.zstd.DecodeAll(packed, grow(&b.plain, unpacked)[:0:unpacked])
	if err != nil {
		return nil, fmt.Errorf("zstd: %w", err)
	}
	return complete(plain, unpacked)
}

func complete(plain []byte, want int64) ([]byte, error) {
	if int64(len(plain)) != want {
		return nil, fmt.Errorf("%d bytes unpacked where the entry says %d", len(plain), want)
	}
	return plain, nil
}

// grow returns size bytes, from what is there when it is enough.
func grow(b *[]byte, size int64) []byte {
	if int64(cap(*b)) < size {
		*b = make([]byte, size)
	}
	return (*b)[:size]
}

// close ends what the decoder may have running.
func (b *buffers) close() {
	if b.zstd != nil {
		b.zstd.Close()
	}
}
