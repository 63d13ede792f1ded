// The command mutation breaks the core on purpose, one operator at a time, and asks the
// tests of each package whether they notice. What they do not notice is listed with its
// reason in reports/docs/mutation.md, and the command fails where that list is wrong.
//
// The mutants are those of gremlins (github.com/go-gremlins/gremlins) as it comes: a
// comparison with another bound (< and <=, > and >=) or the opposite one, another
// operation of arithmetic (+ and -, * and /, % as *), ++ as -- and back. .ci/mutation
// holds the list of them against that of a pinned gremlins. What is done with them is
// another matter: gremlins builds the tests of a package anew for each, which takes an
// hour for the core; here all mutants of a package are built into one test binary, and
// an environment variable says which one is awake (mutant schemata: Untch, Offutt and
// Harrold, ISSTA 1993). Only operators of constants need a build each.
package main
