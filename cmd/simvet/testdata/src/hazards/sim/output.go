package sim

import "fmt"

func speaks() {
	fmt.Print()          // want "output: fmt.Print"
	fmt.Printf("")       // want "output: fmt.Printf"
	fmt.Println()        // want "output: fmt.Println"
	_, _ = fmt.Scan()    // want "output: fmt.Scan"
	_, _ = fmt.Scanf("") // want "output: fmt.Scanf"
	_, _ = fmt.Scanln()  // want "output: fmt.Scanln"
	print()              // want "output: print"
	println()            // want "output: println"
}
