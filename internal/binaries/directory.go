package binaries

import (
	"fmt"
	"io/fs"
	"path/filepath"
)

// Dir reads every binary below a directory. name is how reports call a file of
// it. Links are not followed, and what is no binary is skipped and counted. It
// returns how many files held device code.
func (r *Reader) Dir(dir string, name func(path string) string) (files int, err error) {
	var others, empty int
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			r.fault(slashed(name(path)), "it cannot be read: %v", err)
			return nil
		case e.IsDir() && e.Name() == ".git":
			return fs.SkipDir
		case !e.Type().IsRegular():
			return nil
		}
		known, entries, err := r.File(path, slashed(name(path)))
		switch {
		case err != nil:
			r.fault(slashed(name(path)), "it cannot be read: %v", err)
		case !known:
			others++
		case entries == 0:
			empty++
		default:
			files++
		}
		return nil
	})
	if files > 0 && others+empty > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%s: %s with device code read; skipped %s without any and %s of other kinds",
			slashed(name(dir)), count(files, "file", "files"), count(empty, "binary", "binaries"), count(others, "file", "files")))
	}
	return files, err
}
