package capture

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestObjects: what the recorded calls made, each file once however often it
// was made, and no file that is gone.
func TestObjects(t *testing.T) {
	root := project(t)
	wrapped(root, compileScale...)
	wrapped(root, compileScale...)
	object := filepath.Join(root, "scale.o")
	writeFile(t, object, "an object")
	got, err := Objects([]string{root}, root)
	if want := []string{object}; err != nil || !cmp.Equal(got, want) {
		t.Errorf("%q (%v), want %q", got, err, want)
	}
	if err := os.Remove(object); err != nil {
		t.Fatal(err)
	}
	if got, err := Objects([]string{root}, root); err != nil || len(got) > 0 {
		t.Errorf("after it was removed: %q (%v)", got, err)
	}
}
