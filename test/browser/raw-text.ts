import type { Page } from 'playwright-core'

/** Runs in the browser: the texts that are visible, each with its element, except code and what people typed or wrote. */
const script = `(() => {
  const theirs = 'code, pre, input, textarea, select, script, style, blockquote, bdi, [dir=auto], .alert details'
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts = []
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode
    const text = textContent.trim()
    if (text === '' || parentElement.closest(theirs) !== null || !parentElement.checkVisibility()) continue
    texts.push({ text, element: parentElement.outerHTML.slice(0, 200) })
  }
  return texts
})()`

/** Values of programs, which say nothing to people: names of fields, constants, errors, and IDs. */
const raw = [
  /\b[a-z]+[A-Z]\w*/,
  /[A-Za-z]_[A-Za-z]/,
  /\[object |\bundefined\b|\bnull\b|\bNaN\b|\bInvalid Date\b/,
  /\b\w*Error:|\bTypeError\b/,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-/,
  /\b[0-9A-HJKMNP-TV-Z]{26}\b/i,
]

const withoutAddresses = (text: string) => text.replace(/https?:\/\/\S+|\S+@\S+/g, '')

/** The texts of a page that are raw values. What people copy as it is, such as a type of event, is in `<code>`. */
export const rawTextsOf = async (page: Page): Promise<{ text: string; element: string }[]> => {
  const texts = (await page.evaluate(script)) as { text: string; element: string }[]
  return texts.filter(({ text }) => raw.some((pattern) => pattern.test(withoutAddresses(text))))
}
