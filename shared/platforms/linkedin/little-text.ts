/**
 * In this order: addresses, whose characters mean nothing; hashtags of letters and digits; everything that LinkedIn
 * would read as markup.
 */
const parts = /https?:\/\/\S+|(?<![\p{L}\p{N}\p{M}_&/])#(\p{L}[\p{L}\p{N}\p{M}]*)|[\\|{}@[\]()<>#*_~]/gu

const escapeAll = (text: string): string => text.replace(/[\\|{}@[\]()<>#*_~]/g, (letter) => `\\${letter}`)

/**
 * A text in LinkedIn's "little text" (LinkedIn, little Text Format). LinkedIn answers 201 to a text with one unescaped letter, and
 * silently cuts it there.
 */
export const toLittleText = (text: string): string =>
  text.replace(parts, (found, word: string | undefined) =>
    word === undefined ? escapeAll(found) : `{hashtag|\\#|${word}}`,
  )
