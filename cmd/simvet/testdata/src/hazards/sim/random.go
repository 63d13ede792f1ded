package sim

import (
	_ "crypto/rand"  // want "random: import of crypto/rand"
	_ "hash/maphash" // want "random: import of hash/maphash"
	_ "math/rand"    // want "random: import of math/rand"
	_ "math/rand/v2" // want "random: import of math/rand/v2"
)
