import { asciiDomains, otherDomains } from './top-level-domains.ts'

/** A letter as a regular expression without regard to case compares it (ECMA-262, Canonicalize, without flag `u`). */
const canonical = (letter: string): string => {
  const upper = letter.toUpperCase()
  return upper.length > 1 || (letter > '\x7f' && upper <= '\x7f') ? letter : upper
}

let ascii: ReadonlySet<string> | undefined
let others: ReadonlyMap<string, readonly string[]> | undefined

const readOthers = () => {
  const found = new Map<string, string[]>()
  for (const domain of otherDomains.split(' ')) {
    const letters = [...domain].map(canonical).join('')
    const first = letters.charAt(0)
    found.set(
      first,
      [...(found.get(first) ?? []), letters].sort((one, other) => other.length - one.length),
    )
  }
  return found
}

const punycode = /xn--[-0-9a-z]+/iy
const continues = /[0-9a-zA-Z@+-]/
/** Longer than any top-level domain. */
const maxLetters = 32

const isAlphanumeric = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90)

const asciiEnd = (text: string, at: number): number => {
  let end = at
  while (isAlphanumeric(text.charCodeAt(end)) && end - at <= maxLetters) end += 1
  if (end === at || continues.test(text.charAt(end))) return -1
  ascii ??= new Set(asciiDomains.flatMap((some) => some.split(' ')))
  return ascii.has(text.slice(at, end).toLowerCase()) ? end : -1
}

const holdsAt = (text: string, at: number, letters: string): boolean => {
  for (let n = 0; n < letters.length; n += 1) if (canonical(text.charAt(at + n)) !== letters[n]) return false
  return true
}

const otherEnd = (text: string, at: number): number => {
  others ??= readOthers()
  for (const letters of others.get(canonical(text.charAt(at))) ?? []) {
    const end = at + letters.length
    if (holdsAt(text, at, letters) && !continues.test(text.charAt(end))) return end
  }
  return -1
}

const punycodeEnd = (text: string, at: number): number => {
  if (text[at] !== 'x' && text[at] !== 'X') return -1
  punycode.lastIndex = at
  return punycode.test(text) ? punycode.lastIndex : -1
}

/**
 * The end of the top-level domain that begins at a place of a text; -1 where none does. The one in punycode may be
 * any, as in twitter-text.
 */
export const topLevelEnd = (text: string, at: number): number => {
  const end = asciiEnd(text, at)
  if (end !== -1) return end
  const other = otherEnd(text, at)
  return other === -1 ? punycodeEnd(text, at) : other
}
