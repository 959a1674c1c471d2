package tune

import (
	"bytes"
	_ "embed" // the page
	"html/template"
	"io"
	"strings"

	"github.com/occlint/occlint/internal/name"
)

//go:embed page.html
var htmlPage string

// htmlView is what the page's template shows of a kernel.
type htmlView struct {
	Title, Arch, Launch string
	Timed               bool
	Rows                []htmlRow
	Sentences, Notes    []string
	Drawing             template.HTML
}

type htmlRow struct {
	Mark, Title string
	Today       bool
	Cap         int
	Numbers     []string
	Time, Twins string
}

var htmlTemplate = template.Must(template.New("page").Parse(htmlPage))

// WriteHTML writes a page of its own, which loads nothing.
func (f *File) WriteHTML(w io.Writer) error {
	return htmlTemplate.ExecuteTemplate(w, "page", f.views())
}

// Section is the part of the page that stands in a report.
func (f *File) Section() (template.HTML, error) {
	var b bytes.Buffer
	if err := htmlTemplate.ExecuteTemplate(&b, "section", f.views()); err != nil {
		return "", err
	}
	return template.HTML(b.String()), nil //nolint:gosec // made by a template that escapes
}

func (f *File) views() []htmlView {
	var list []htmlView
	for i := range f.Kernels {
		k := &f.Kernels[i]
		one := &File{Kernels: []FileKernel{*k}}
		var svg strings.Builder
		_ = one.WriteSVG(&svg) // a Builder takes everything
		v := htmlView{
			Title: k.title(), Arch: name.Escape(k.Arch), Launch: name.Escape(k.Launch), Timed: k.timed(),
			Sentences: escaped(append(append([]string{}, k.Sentences...), k.troubles()...)), Notes: escaped(k.Notes),
			// Two drawings on a page must not share the identities of their titles.
			Drawing: template.HTML(strings.NewReplacer(` role="img" aria-labelledby="t d"`, ` role="img"`, ` id="t"`, "", ` id="d"`, "").Replace(svg.String())), //nolint:gosec // escaped where it is drawn
		}
		for j := range k.Rows {
			r := &k.Rows[j]
			if r.SameAs == nil {
				v.Rows = append(v.Rows, htmlRow{mark(r.Frontier), r.title(), r.Today, r.Cap, r.numbers(), r.time(), strings.Join(k.twins(r.Variant), ", ")})
			}
		}
		list = append(list, v)
	}
	return list
}

func escaped(list []string) []string {
	var out []string
	for _, s := range list {
		out = append(out, name.Escape(s))
	}
	return out
}
