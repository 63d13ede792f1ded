//go:build ackgap_exact

// This file is empty: a package with it may declare functions without a body.
