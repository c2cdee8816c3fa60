import { trimLink } from '../trim-link.ts'

/** An address without its scheme: `www.`, one name or more, and what follows them. */
const bare = /^www(?:\.[\p{L}\p{N}-]+){2,}(?:[/?#:]|$)/iu

/**
 * The different addresses in a text that begin with `www.` and no scheme, in their order: Threads counts them as links
 * (Threads API, Text attachments, How links are counted, 2026-07-02). Its examples show no other bare names; those pass
 * here, and Threads has the last word. Each character is looked at a bounded number of times.
 */
export const bareLinksIn = (text: string): string[] => {
  const words = text.split(/[\s<>"']/).flatMap((word) => {
    const start = word.startsWith('(') ? 1 : 0
    return /^www\./i.test(word.slice(start, start + 4)) ? [trimLink(word.slice(start))] : []
  })
  return [...new Set(words.filter((word) => bare.test(word)))]
}
