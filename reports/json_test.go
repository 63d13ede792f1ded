package reports

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func schema(t *testing.T) *jsonschema.Schema { return compile(t, Schema) }

func compile(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///a.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:///a.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, doc []byte) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

func TestJSONKeepsItsSchema(t *testing.T) {
	s := schema(t)
	for _, story := range stories {
		if err := validate(t, s, AppendJSON(nil, story.run())); err != nil {
			t.Errorf("%s: %v", story.name, err)
		}
	}
}

// Every word that an event may hold is one that the schema allows.
func TestTheSchemaKnowsEveryWord(t *testing.T) {
	s := schema(t)
	for i := 1; i < 64; i++ {
		e := model.Event{Seq: 1, Kind: model.Kind(i), Op: model.Op(i), Step: model.Step(i), Answer: model.Answer(i),
			Cause: model.Cause(i), Flags: model.Flags(i), Until: model.Never}
		r := lostAck()
		r.History.Events = []model.Event{onlyKnown(e)}
		if err := validate(t, s, AppendJSON(nil, r)); err != nil {
			t.Errorf("event %d: %v", i, err)
		}
	}
}

// onlyKnown drops the words beyond the end of their lists, and replaces the kind.
func onlyKnown(e model.Event) model.Event {
	if e.Kind.String() == "invalid" {
		e.Kind = model.Sent
	}
	if e.Op.String() == "invalid" {
		e.Op = 0
	}
	if e.Step.String() == "invalid" {
		e.Step = 0
	}
	if e.Answer.String() == "invalid" {
		e.Answer = 0
	}
	if e.Cause.String() == "invalid" {
		e.Cause = 0
	}
	return e
}

func TestTheSchemaRefusesWhatIsNotPromised(t *testing.T) {
	s := schema(t)
	good := string(AppendJSON(nil, lostAck()))
	for name, change := range map[string][2]string{
		"another version":     {`"ackgap-run/1"`, `"ackgap-run/2"`},
		"a seed as a number":  {`"seed":"0"`, `"seed":0`},
		"a word for a time":   {`"at":0`, `"at":"0s"`},
		"an unknown kind":     {`"kind":"sent"`, `"kind":"send"`},
		"a field nobody knew": {`"jobs":`, `"color":"red","jobs":`},
		"a missing list":      {`"unfired":[],`, ``},
	} {
		bad := strings.Replace(good, change[0], change[1], 1)
		if bad == good {
			t.Fatalf("%s: nothing to change", name)
		}
		if err := validate(t, s, []byte(bad)); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// Escaping to ASCII changes how a name is written, never what it is.
func TestJSONKeepsNamesAsTheyAre(t *testing.T) {
	r := lostAck()
	r.History.Names.Jobs[1] = "J\x1b\n\u202e é 漢 \U0001f600 <script>\x7f"
	text := AppendJSON(nil, r)
	for _, c := range text[:len(text)-1] {
		if c < ' ' || c > '~' {
			t.Fatalf("byte %#x stands bare in %s", c, text)
		}
	}
	var doc struct{ Jobs, Processes []string }
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.History.Names.Jobs[1:], doc.Jobs); diff != "" {
		t.Errorf("jobs (-want +got):\n%s", diff)
	}
}

func TestJSONOfAStoryIsPinned(t *testing.T) {
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, AppendJSON(nil, lostAck()), "", "  "); err != nil {
		t.Fatal(err)
	}
	golden(t, "lost-ack.json", pretty.Bytes())
}
