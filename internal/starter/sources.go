package starter

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// maxWalked bounds the search for sources in a huge tree.
const maxWalked = 200_000

// SourceGlobs looks for CUDA sources under root and returns the globs that
// find them, by their topmost folder: "src/**/*.cu". Hidden folders, build
// trees and other people's code are left out. What can't be read is not
// searched.
func SourceGlobs(root fs.FS) []string {
	found := map[string]bool{}
	walked := 0
	_ = fs.WalkDir(root, ".", func(p string, entry fs.DirEntry, err error) error {
		if walked++; walked > maxWalked {
			return fs.SkipAll
		}
		if err != nil {
			if entry != nil && entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if entry.IsDir() {
			if p != "." && notOurs(entry.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		ext := path.Ext(p)
		if ext != ".cu" && ext != ".cuh" {
			return nil
		}
		top, _, nested := strings.Cut(p, "/")
		if !nested {
			found["*"+ext] = true
			return nil
		}
		found[top+"/**/*"+ext] = true
		return nil
	})
	var globs []string
	for g := range found {
		globs = append(globs, g)
	}
	slices.Sort(globs)
	return globs
}

// notOurs tells folders that hold no source of the project itself.
func notOurs(folder string) bool {
	switch strings.ToLower(folder) {
	case "build", "out", "dist", "node_modules", "vendor", "third_party", "thirdparty", "3rdparty", "external", "extern", "deps", "_deps":
		return true
	}
	return strings.HasPrefix(folder, ".") || strings.HasPrefix(folder, "cmake-build-") || strings.HasPrefix(folder, "build-")
}
