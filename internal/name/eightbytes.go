package name

// The functions in this file look at eight bytes of a name at once. Each
// returns a word whose bytes have their high bit set where something is found.

const (
	eachByte = 0x0101010101010101
	highBits = 0x80 * eachByte
)

// load8 reads eight bytes, the first one lowest; compilers make one load of it.
func load8(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// unusualBytes finds what is neither an ASCII letter, nor a digit, nor "_".
func unusualBytes(v uint64) uint64 {
	low := v &^ highBits
	folded := low | 0x20*eachByte // capitals as small letters
	// A sum has a high bit where the byte is at least the character. The ranges
	// don't overlap, so that a byte in one of them has an odd number of those.
	usual := (folded + (0x80-'a')*eachByte) ^ (folded + (0x80-'z'-1)*eachByte) ^
		(low + (0x80-'0')*eachByte) ^ (low + (0x80-'9'-1)*eachByte) ^
		(low + (0x80-'_')*eachByte) ^ (low + (0x80-'_'-1)*eachByte)
	return (^usual | v) & highBits
}

// unsafeBytes finds what Escape may have to rewrite: what is no printable ASCII,
// and "[".
func unsafeBytes(v uint64) uint64 {
	low := v &^ highBits
	printable := (low + (0x80-' ')*eachByte) ^ (low + (0x80-0x7f)*eachByte)
	bracket := (low + (0x80-'[')*eachByte) ^ (low + (0x80-'['-1)*eachByte)
	return (^printable | bracket | v) & highBits
}

// markBytes finds where a mark of an id may begin, by its first two bytes: "_G",
// "_I" and "__". It sees none in the last place, and it may find more.
func markBytes(v uint64) uint64 {
	low := v &^ highBits
	first := (low + (0x80-'_')*eachByte) ^ (low + (0x80-'_'-1)*eachByte)
	second := (low + (0x80-'G')*eachByte) ^ (low + (0x80-'I'-1)*eachByte)
	return first & ((first | second) >> 8) & highBits
}
