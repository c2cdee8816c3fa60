/** Random numbers that are the same with every run (Marsaglia's xorshift). */
export const dice = (seed: number) => {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

const letters = 'etaoinshrdlcumwfgypbvk'

/** Texts whose words are as frequent as those of a language are: the second half as often as the first (Zipf). */
export const makeTexts = (seed: number, wordCount: number) => {
  const roll = dice(seed)
  const words = Array.from({ length: wordCount }, () =>
    Array.from({ length: 3 + Math.floor(roll() * 7) }, () => letters[Math.floor(roll() * letters.length)]).join(''),
  )
  const sums: number[] = []
  for (const [n] of words.entries()) sums.push((sums[n - 1] ?? 0) + 1 / (n + 5))
  const total = sums.at(-1) ?? 1
  const word = () => {
    const aim = roll() * total
    let low = 0
    let high = sums.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sums[middle] ?? 0) < aim) low = middle + 1
      else high = middle
    }
    return words[low] ?? ''
  }
  const text = (length: number) => Array.from({ length: Math.ceil(length * (0.4 + roll() * 1.2)) }, word).join(' ')
  return { text, word: (rank: number) => words[rank] ?? '', prompt: () => [word(), word(), word(), word()].join(' ') }
}
