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

/** Lower case with composed letters and no ligatures or wide forms: what stemmers expect. */
export const lower = (word: string): string => word.normalize('NFKC').toLowerCase()

/** A word as it is compared: without case, accents and letters of one language alone (ß, ø, the Turkish ı and İ). */
export const normalizeWord = (word: string): string => {
  const small = lower(word)
  if (/^[a-z0-9]*$/.test(small)) return small
  return small
    .replace(/[ßæœøłđðþıς]/g, (letter) => spelled[letter] ?? letter)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
}
