/** The first position in a sorted list whose term is not below the given one. */
export const placeOf = (terms: readonly string[], term: string): number => {
  let low = 0
  let high = terms.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((terms[middle] ?? '') < term) low = middle + 1
    else high = middle
  }
  return low
}

const past = '\uffff'

/** The positions of terms that begin with a word, without the word itself, up to a number. */
export const beginningWith = (terms: readonly string[], word: string, most: number): number[] => {
  const from = placeOf(terms, word)
  const first = terms[from] === word ? from + 1 : from
  const end = Math.min(placeOf(terms, word + past), first + most)
  return Array.from({ length: Math.max(0, end - first) }, (_, n) => first + n)
}

const sharedLength = (one: string, other: string) => {
  let n = 0
  while (n < one.length && one.charCodeAt(n) === other.charCodeAt(n)) n += 1
  return n
}

/** The table of edit distances between a word and the prefixes of a term, with a row for each letter of the term. */
const makeTable = (word: string) => {
  const width = word.length + 1
  const cells: Uint8Array[] = [Uint8Array.from({ length: width }, (_, n) => n)]
  return {
    /** Fills the row for a number of letters of a term; returns its lowest distance. */
    fill(term: string, depth: number): number {
      const [above, twoAbove] = [cells[depth - 1], cells[depth - 2]]
      const row = cells[depth] ?? new Uint8Array(width)
      cells[depth] = row
      row[0] = depth
      let fewest = depth
      const [letter, letterBefore] = [term.charCodeAt(depth - 1), term.charCodeAt(depth - 2)]
      for (let n = 1; n < width; n += 1) {
        const own = word.charCodeAt(n - 1)
        let errors = (above?.[n - 1] ?? 0) + (letter === own ? 0 : 1)
        errors = Math.min(errors, (above?.[n] ?? 0) + 1, (row[n - 1] ?? 0) + 1)
        const isSwapped = n > 1 && letter === word.charCodeAt(n - 2) && letterBefore === own
        if (isSwapped && twoAbove) errors = Math.min(errors, (twoAbove[n - 2] ?? 0) + 1)
        row[n] = errors
        if (errors < fewest) fewest = errors
      }
      return fewest
    },
    errors: (depth: number): number => cells[depth]?.[width - 1] ?? width,
  }
}

/**
 * The positions of the terms within a number of typing errors: a letter too many, missing, wrong, or two swapped. Terms
 * with the same prefix share rows of the table, and prefixes that differ too much are skipped.
 */
export const fuzzyMatches = (
  terms: readonly string[],
  word: string,
  maxErrors: number,
): { place: number; errors: number }[] => {
  const table = makeTable(word)
  const found: { place: number; errors: number }[] = []
  let known = ''
  for (let place = 0; place < terms.length; ) {
    const term = terms[place] ?? ''
    let depth = sharedLength(known, term)
    let fewest = 0
    while (depth < term.length && fewest <= maxErrors) {
      depth += 1
      fewest = table.fill(term, depth)
    }
    known = term.slice(0, depth)
    if (fewest > maxErrors) {
      place = Math.max(place + 1, placeOf(terms, known + past))
      continue
    }
    const errors = table.errors(term.length)
    if (errors <= maxErrors) found.push({ place, errors })
    place += 1
  }
  return found
}
