package generals

// Table is a protocol as rows: a message is sent, or an attack made, when some
// row of it holds. A message or a general without rows never is, or does.
type Table struct {
	Sends   []Row
	Attacks []Row
}

// Row is one way in which a message comes to be sent or a general to attack: all
// of its conditions must hold. The row without any always does.
type Row struct {
	Message int   // of a row of Sends
	Party   Party // of a row of Attacks
	When    When
}

// When is what a view must be like. The zero When is any view.
type When struct {
	Order  bool // the general knows of the order
	Heard  Set  // it heard all of these
	Silent Set  // and none of these
	Knows  Set  // it knows that all of these arrived
	Least  int  // and it heard at least so many messages in all
}

// Holds reports whether v is as w says.
func (w When) Holds(v View) bool {
	return (v.Order || !w.Order) && v.Heard&w.Heard == w.Heard && v.Heard&w.Silent == 0 &&
		v.Knows&w.Knows == w.Knows && v.Heard.Len() >= w.Least
}

// Protocol returns the protocol that t describes.
func (t *Table) Protocol(name, about string, senders []Party) *Protocol {
	return &Protocol{Name: name, About: about, Senders: senders, Send: t.send, Attack: t.attack, Table: t}
}

func (t *Table) send(v View, m int) bool {
	for _, r := range t.Sends {
		if r.Message == m && r.When.Holds(v) {
			return true
		}
	}
	return false
}

func (t *Table) attack(v View) bool {
	for _, r := range t.Attacks {
		if r.Party == v.Party && r.When.Holds(v) {
			return true
		}
	}
	return false
}
