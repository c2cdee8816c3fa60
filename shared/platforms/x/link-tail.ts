import { latin, query as queryLetters } from './letters.ts'

// What may follow a host name in a link, as twitter-text 3.1.0 reads it.
const port = /:[0-9]+/y
const letters = new RegExp(String.raw`[a-z\u0400-\u04FF0-9!*';:=+,.$/%#[\]\-\u2013_~@|&${latin}]*`, 'iy')
const endLetter = new RegExp(String.raw`[-+a-z\u0400-\u04FF0-9=_#/${latin}]`, 'i')
const query = new RegExp(queryLetters, 'iy')

const endOf = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** The end of a pair of brackets, with at most one pair in it, that begins at a position; -1 if there is none. */
const bracketsEnd = (text: string, at: number): number => {
  let end = endOf(letters, text, at + 1)
  if (text[end] === ')') return end > at + 1 ? end + 1 : -1
  if (text[end] !== '(') return -1
  const inner = end + 1
  end = endOf(letters, text, inner)
  if (end === inner || text[end] !== ')') return -1
  end = endOf(letters, text, end + 1)
  return text[end] === ')' ? end + 1 : -1
}

/**
 * The end of the path that begins with the slash at a position: after the last letter that may end one, and directly
 * following brackets.
 */
const pathEnd = (text: string, at: number): number => {
  let ends = at + 1
  for (let from = ends; ; ) {
    const to = endOf(letters, text, from)
    let last = to
    while (last > from && !endLetter.test(text.charAt(last - 1))) last -= 1
    if (last > from) ends = last
    const behind = text[to] === '(' ? bracketsEnd(text, to) : -1
    if (behind === -1) return ends
    if (ends === to) ends = behind
    from = behind
  }
}

/** The end of the port, path and query after a host name that ends at a position, and whether there is a path. */
export const tailOf = (text: string, at: number): { end: number; hasPath: boolean } => {
  let end = text[at] === ':' ? endOf(port, text, at) : at
  const hasPath = text[end] === '/'
  if (hasPath) end = pathEnd(text, end)
  return { end: text[end] === '?' ? endOf(query, text, end) : end, hasPath }
}
