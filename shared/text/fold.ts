/** A text as searches compare it: in one case and one form of Unicode. */
export const fold = (text: string): string => text.normalize('NFC').toLowerCase()
