package rules

import (
	"fmt"

	"github.com/occlint/occlint/parse"
)

// budget is a rule that holds one number of a kernel against one declared
// number.
type budget struct {
	field string // one of the Field constants: the row of the table
	noun  string // of the message: "registers per thread"
	// detail says in words how the value is made up; nil: it is one number.
	detail func(*Subject) string
	log    func(*parse.Class) string // the log's text; nil: the Used line
	help   string
}

func (b *budget) check(u *Subject) {
	row := budgetOf(b.field)
	limit := row.whole(&u.decl.Declaration)
	if !limit.Set {
		return
	}
	n, known := row.value(u)
	if !known || n <= limit.Value {
		return
	}
	f := Finding{
		Message: fmt.Sprintf("uses %d %s%s, %d above the budget of %d", n, b.noun, u.on(), n-limit.Value, limit.Value),
		Value:   float64(n), Limit: float64(limit.Value), Unit: row.Unit, Field: row.Field,
		Declared: limit.Origin,
		Help:     b.help,
	}
	if b.detail != nil {
		if text := b.detail(u); text != "" {
			f.Notes = append(f.Notes, text)
		}
	}
	if b.log != nil {
		f.LogText = b.log(u.record)
	}
	u.Report(f)
}

// kernelsOnly is a budget's check for what a device function has none of.
func (b *budget) kernelsOnly(u *Subject) {
	if !u.isFunction() {
		b.check(u)
	}
}
