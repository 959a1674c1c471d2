package arch

// GPU is one product: how many SMs of which architecture, and how fast its
// memory is.
type GPU struct {
	Name                 string  // "H100-SXM"
	Arch                 string  // "sm_90"
	SMs                  int     // enabled ones
	BandwidthBytesPerSec float64 // of the device memory, as specified
	ClockHz              float64 // boost clock, as specified
	LatencyCycles        int     // of a load from device memory, typical
}

func builtinGPUs() []*GPU { return nil }
