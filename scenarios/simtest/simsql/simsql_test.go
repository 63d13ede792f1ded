package simsql_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/scenarios/simtest"
	"github.com/ackgap/ackgap/scenarios/simtest/internal/tbtest"
	"github.com/ackgap/ackgap/scenarios/simtest/simsql"
)

const (
	schema = `CREATE TABLE inbox(job TEXT PRIMARY KEY); CREATE TABLE payments(job TEXT, cents INT)`
	paid   = `SELECT count(*) FROM payments WHERE job = ?`
)

// payThenMark looks, pays and marks, each by itself.
func payThenMark(ctx context.Context, job simtest.Job) error {
	db := simsql.DB(job)
	var n int
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM inbox WHERE job = ?`, job.ID).Scan(&n); err != nil || n > 0 {
		return err
	}
	if _, err := db.ExecContext(ctx, `INSERT INTO payments VALUES (?, 100)`, job.ID); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, `INSERT INTO inbox VALUES (?)`, job.ID)
	return err
}

// payOnce marks under a unique key and pays, in one transaction.
func payOnce(ctx context.Context, job simtest.Job) error {
	tx, err := simsql.DB(job).BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	r, err := tx.ExecContext(ctx, `INSERT INTO inbox VALUES (?) ON CONFLICT DO NOTHING`, job.ID)
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO payments VALUES (?, 100)`, job.ID); err != nil {
		return err
	}
	return tx.Commit()
}

func TestPaymentAndMarkerApartAreCaught(t *testing.T) {
	found, err := simtest.NewConsumer(t, payThenMark, simsql.With(schema, paid)).Find()
	if err != nil || found == nil {
		t.Fatalf("%v, %v", found, err)
	}
	t.Logf("seed %d\n%s", found.Seed, found.Small.Story.Text())
	if n := len(found.Small.Story.Plan); found.Property != "no-duplicate-effect" || n > 2 {
		t.Errorf("%s broke, with %d faults", found.Property, n)
	}
}

func TestPaymentAndMarkerInOneTransactionHold(t *testing.T) {
	runs := 300
	if os.Getenv("ACKGAP_LONG") != "" {
		runs = 20_000
	}
	simtest.CheckConsumer(t, payOnce, simsql.With(schema, paid), simtest.Runs(runs))
}

// An inbox skips, and no claim of reach sees it: a green check does not call that never tried.
func TestOfAnInboxItIsSaidThatItsSkipsAreNotSeen(t *testing.T) {
	tb := tbtest.Run(t, func(tb testing.TB) {
		simtest.CheckConsumer(tb, payOnce, simsql.With(schema, paid), simtest.Runs(50))
	})
	if !strings.Contains(tb.Text(), "saw-marker-skip in 0 (an inbox in SQL is not seen)") {
		t.Error(tb.Text())
	}
}

func TestTheSameSeedLeavesTheSameBytes(t *testing.T) {
	c := simtest.NewConsumer(t, payOnce, simsql.With(schema, paid), simtest.Heartbeat(1e9))
	for seed := range uint64(100) {
		a, err := c.World(seed)
		if err != nil {
			t.Fatal(err)
		}
		first := a.Outcome.History.Digest
		b, err := c.World(seed)
		if err != nil {
			t.Fatal(err)
		}
		if then := b.Outcome.History.Digest; then != first {
			t.Fatalf("seed %d left %s and then %s", seed, first, then)
		}
	}
}

// Each is one step, of the kind that the package's comment says.
func TestAFaultFindsTheStepOfEachStatement(t *testing.T) {
	const adds = `INSERT INTO inbox VALUES (1)`
	for _, c := range []struct {
		step  string
		query string // "" for none
		tx    bool
	}{
		{"read", ``, true}, // BEGIN
		{"read", `SELECT job FROM inbox`, false},
		{"commit", adds, false},
		{"commit", adds + ` RETURNING job`, false},
		{"write", adds + ` RETURNING job`, true},
	} {
		handler := func(ctx context.Context, job simtest.Job) error { return ask(ctx, simsql.DB(job), c.query, c.tx) }
		out, err := simtest.NewConsumer(t, handler, simsql.With(schema, paid), simtest.Jobs(1)).Run("pause w1 after=" + c.step + " J1#1 for=1s")
		if err != nil || len(out.Unfired) > 0 {
			t.Errorf("%q is no %s: %v", c.query, c.step, err)
		}
	}
}

// ask asks once, within a transaction or not.
func ask(ctx context.Context, db *sql.DB, query string, within bool) error {
	var job string
	if !within {
		return db.QueryRowContext(ctx, query).Scan(&job)
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // it is all that is asked for
	if query == "" {
		return nil
	}
	return tx.QueryRowContext(ctx, query).Scan(&job)
}

func TestWhatADeadProcessHadOpenIsRolledBack(t *testing.T) {
	c := simtest.NewConsumer(t, payOnce, simsql.With(schema, paid), simtest.Workers(1), simtest.Jobs(1))
	out, err := c.Run("crash w1 before=commit J1#1 restart=1s")
	if err != nil {
		t.Fatal(err)
	}
	if text := out.HistoryText(); strings.Count(text, " effect ") != 1 || !strings.Contains(text, "J1#2") {
		t.Errorf("not one effect, in the second delivery:\n%s", text)
	}
}

func TestWhoFindsTheDatabaseLockedWaits(t *testing.T) {
	c := simtest.NewConsumer(t, payOnce, simsql.With(schema, paid), simtest.Jobs(2))
	out, err := c.Run("pause w1 before=commit J1#1 for=3s")
	if err != nil {
		t.Fatal(err)
	}
	if text := out.HistoryText(); out.Met != 0 || strings.Contains(text, " failed ") {
		t.Errorf("the other one did not wait until the first had committed:\n%s", text)
	}
}

func TestALostLeaseEndsTheTransaction(t *testing.T) {
	var ended error
	handler := func(ctx context.Context, job simtest.Job) error {
		tx, err := simsql.DB(job).BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		if err := job.Sleep(ctx, 2*simtest.DefaultLease); !errors.Is(err, context.Canceled) || context.Cause(ctx) != simtest.ErrLeaseLost {
			t.Errorf("slept on: %v", err)
		}
		if err := tx.Commit(); ended == nil {
			ended = err
		}
		return job.Sink().ApplyKey(context.Background(), job.ID)
	}
	if _, err := simtest.NewConsumer(t, handler, simsql.With(schema, paid), simtest.Jobs(1)).Run(); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(ended, context.Canceled) && !errors.Is(ended, sql.ErrTxDone) {
		t.Errorf("it committed: %v", ended)
	}
}

func TestWhatSQLiteRefusesEndsTheTestBeforeItRuns(t *testing.T) {
	for _, c := range []struct{ schema, effects, says string }{
		{`CREATE TABEL x(y)`, paid, "the schema is refused"},
		{schema, `SELECT count(*) FROM payment WHERE job = ?`, "the query of effects is refused"},
		{schema, `SELECT count(*) FROM payments`, "one parameter"},
	} {
		t.Run(c.says, func(t *testing.T) {
			tb := tbtest.Run(t, func(tb testing.TB) {
				simtest.CheckConsumer(tb, payOnce, simsql.With(c.schema, c.effects))
			})
			if !tb.Broke || !strings.Contains(tb.Text(), c.says) {
				t.Errorf("%s, want %q", tb.Text(), c.says)
			}
		})
	}
}

func BenchmarkPayOnce(b *testing.B) { simtest.BenchConsumer(b, payOnce, simsql.With(schema, paid)) }
