package reports // want "doc: package reports has no comment"

// Said has a comment.
type Said struct{ Field int }

// A comment of a group of types says nothing of each.
type (
	Grouped struct{}
	// want above "doc: Grouped has no comment"

	// Explained has one.
	Explained struct{}
)

// Aliases share a comment.
type (
	Alias = Said
	Other = Said
)

type Unsaid = Said

// want above "doc: Unsaid has no comment"

// The kinds share a comment.
const (
	First = iota
	Second
)

var Loud = 1

// want above "doc: Loud has no comment"

var (
	Loose = 1
	// want above "doc: Loose has no comment"

	Tight = 2 // with a comment behind
)

const A, B = 1, 2

// want above "doc: A has no comment"

func Speak() {} // want "doc: Speak has no comment"

func (Said) Method() {} // want "doc: Method has no comment"

func (*list[T]) Hidden() {}

type list[T any] struct{}

func (*List[T]) Shown() {} // want "doc: Shown has no comment"

// List is generic.
type List[T any] struct{}
