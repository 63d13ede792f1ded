// Package outside holds the tests of reports by programs that are not ours: a browser,
// the parsers of JUnit and OpenTelemetry, and, from npm, axe-core and Mermaid. It is a
// module of its own, so that what they need stays out of the one that people import. Its
// tests skip, and say so, what is not installed, unless ACKGAP_REQUIRE=all; .ci/run
// installs it. ACKGAP_NPM is the folder that holds node_modules, ACKGAP_SHOTS one for the
// pictures of the pages (both optional; "../../out/npm" is looked into, and no picture is
// kept).
package outside
