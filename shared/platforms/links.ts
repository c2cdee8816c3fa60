const sentenceMarks = '.,;:!?'

/**
 * An address without the punctuation that ends its sentence, and without closing brackets that it does not open:
 * `https://a.example/x_(y)).` becomes `https://a.example/x_(y)`.
 */
export const trimLink = (link: string): string => {
  let unopened = 0
  for (const letter of link) unopened += letter === ')' ? 1 : letter === '(' ? -1 : 0
  let end = link.length
  for (; end > 0; end -= 1) {
    const last = link.charAt(end - 1)
    if (last === ')' && unopened > 0) unopened -= 1
    else if (!sentenceMarks.includes(last)) break
  }
  return link.slice(0, end)
}

/** An address in a text, with the punctuation that may follow it. */
export const address = /https?:\/\/[^\s<>"']+/gi

/** The different addresses in a text, in their order. */
export const linksIn = (text: string): string[] => [...new Set((text.match(address) ?? []).map(trimLink))]
