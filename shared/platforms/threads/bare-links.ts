const ends = new Set('.,;:!?')

/** An address without its scheme: `www.`, one name or more, and what follows them. */
const bare = /^www(?:\.[\p{L}\p{N}-]+){2,}(?:[/?#:]|$)/iu

/** Without the marks of the sentence, and a bracket that is not the address's own; in one pass from the end. */
const trim = (word: string): string => {
  let end = word.length
  let open = word.split('(').length - word.split(')').length
  for (; end > 0; end -= 1) {
    const last = word[end - 1] ?? ''
    if (last === ')' && open < 0) open += 1
    else if (!ends.has(last)) break
  }
  return word.slice(0, end)
}

/**
 * The different addresses in a text that begin with `www.` and no scheme, in their order: Threads counts them as links
 * (Threads API, Text attachments, How links are counted, 2026-07-02). Its examples show no other bare names; those pass
 * here, and Threads has the last word. Each character is looked at a bounded number of times.
 */
export const bareLinksIn = (text: string): string[] => {
  const words = text.split(/[\s<>"']/).flatMap((word) => {
    const start = word.startsWith('(') ? 1 : 0
    return /^www\./i.test(word.slice(start, start + 4)) ? [trim(word.slice(start))] : []
  })
  return [...new Set(words.filter((word) => bare.test(word)))]
}
