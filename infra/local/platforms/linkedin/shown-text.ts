/** A hashtag as a template or bare, a mention, an escaped letter, or plain text: what little text may consist of. */
const piece =
  /\{hashtag\|\\#\|([^\\|{}@[\]()<>#*_~]+)\}|@\[((?:\\.|[^\\\]])+)\]\(urn:li:(?:person|organization):[\w-]+\)|(#\p{L}[\p{L}\p{N}\p{M}]*)|\\([\\|{}@[\]()<>#*_~])|([^\\|{}@[\]()<>#*_~]+)/uy

/**
 * What LinkedIn shows of a commentary: the text without its escapes, cut at the first character that should have been
 * escaped and was not.
 */
export function shownText(commentary: string): string {
  let shown = ''
  piece.lastIndex = 0
  for (let match = piece.exec(commentary); match !== null; match = piece.exec(commentary)) {
    const [, hashtag, mention, bare, escaped, plain] = match
    shown +=
      hashtag === undefined ? (mention?.replace(/\\(.)/gu, '$1') ?? bare ?? escaped ?? plain ?? '') : `#${hashtag}`
    if (piece.lastIndex >= commentary.length) break
  }
  return shown
}
