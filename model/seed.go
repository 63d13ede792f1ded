package model

// Seed is the root of all that is drawn in a run. Two draws never share a
// stream: each names its own fork, so that adding one draw moves no other.
type Seed uint64

// Fork returns the seed of the stream called name ("world/latency").
func (s Seed) Fork(name string) Seed {
	h := Mix(uint64(s) + 0x9E3779B97F4A7C15)
	for i := 0; i < len(name); i++ {
		h = Mix(h ^ uint64(name[i]))
	}
	return Seed(h)
}

// Hash returns the draw at the address a, b of the stream: a function of the
// address, never of what was drawn before.
func (s Seed) Hash(a, b uint64) uint64 {
	return Mix(Mix(uint64(s)^a) + 0x9E3779B97F4A7C15 ^ b)
}

// Mix is the finaliser of SplitMix64 (Steele, Lea, Flood: "Fast splittable
// pseudorandom number generators", OOPSLA 2014, figure 14): a bijection on 64
// bits in which every input bit reaches every output bit.
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Below maps the draw h onto 0..n-1 by its high bits; n must not be 0. The bias
// is below n/2^32, which is why n is a uint32.
func Below(h uint64, n uint32) uint32 {
	return uint32((h >> 32) * uint64(n) >> 32)
}
