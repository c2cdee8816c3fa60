const spelled: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
}

/** Lowercase with composed letters, without ligatures or wide forms: the input of stemmers. */
export const lower = (word: string): string => word.normalize('NFKC').toLowerCase()

/**
 * A word normalized for comparison: without case, accents, and letters of a single language (ß, ø, the Turkish ı and
 * İ).
 */
export const normalizeWord = (word: string): string => {
  const small = lower(word)
  if (/^[a-z0-9]*$/.test(small)) return small
  return small
    .replace(/[ßæœøłđðþıς]/g, (letter) => spelled[letter] ?? letter)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
}
