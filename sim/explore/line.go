package explore

// line is a list of numbers that is used up from either end. Numbers that follow each
// other are kept as one run: states are found in the order of their numbers, so that
// almost all of them are.
type line struct {
	runs []run
	gone int // runs that are used up, at the front
}

type run struct{ first, end int32 }

func (l *line) isEmpty() bool { return l.gone == len(l.runs) }

func (l *line) push(i int32) {
	if last := len(l.runs) - 1; last >= l.gone && l.runs[last].end == i {
		l.runs[last].end++
		return
	}
	l.runs = append(l.runs, run{i, i + 1})
}

// pop takes the last number.
func (l *line) pop() int32 {
	r := &l.runs[len(l.runs)-1]
	r.end--
	i := r.end
	if r.first == r.end {
		l.runs = l.runs[:len(l.runs)-1]
	}
	return i
}

// shift takes the first number.
func (l *line) shift() int32 {
	r := &l.runs[l.gone]
	r.first++
	i := r.first - 1
	if r.first == r.end {
		l.gone++
	}
	return i
}
