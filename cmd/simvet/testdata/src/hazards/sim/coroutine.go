package sim

import "iter"

func coroutines(s iter.Seq[int], s2 iter.Seq2[int, int]) {
	_, _ = iter.Pull(s)   // want "coroutine: iter.Pull"
	_, _ = iter.Pull2(s2) // want "coroutine: iter.Pull2"
}
