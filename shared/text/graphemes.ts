let segmenter: Intl.Segmenter | undefined

/** The graphemes of a text: an emoji with all its joiners is one. Decided: made at its first use, which takes 8 ms. */
export const graphemesIn = (text: string): Intl.Segments => {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}
