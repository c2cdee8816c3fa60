import * as z from 'zod/mini'

// Runs in the browser, which knows what the markup does not show: computed colors, widths, and the focused element.
const script = `(() => {
  const channels = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number)
  const light = (color) => {
    const [r, g, b] = channels(color).map((level) => level / 255).map((level) => (level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrast = (a, b) => {
    const [dark, bright] = [light(a), light(b)].sort((x, y) => x - y)
    return (bright + 0.05) / (dark + 0.05)
  }
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor
      const [, , , alpha = 1] = channels(color)
      if (alpha === 1) return color
      if (alpha > 0) throw new Error('a half transparent ground')
    }
    return 'rgb(255, 255, 255)'
  }
  const texts = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode
    if (textContent.trim() !== '') texts.push([textContent.trim(), parentElement])
  }
  for (const input of document.querySelectorAll('input:not([type=hidden])')) texts.push([input.id, input])
  const name = (element) => element.id || element.textContent.trim() || element.name || ''
  const focused = document.activeElement
  const ring = getComputedStyle(focused)
  return {
    lang: document.documentElement.lang,
    title: document.title,
    headings: document.querySelectorAll('h1').length,
    scripts: document.scripts.length,
    unlabelled: [...document.querySelectorAll('input:not([type=hidden])')].filter((element) => element.labels.length === 0).map(name),
    untied: [...document.querySelectorAll('.error')].filter((element) => !document.querySelector('[aria-describedby~="' + element.id + '"]')).map(name),
    faint: texts
      .map(([text, element]) => [text, contrast(getComputedStyle(element).color, ground(element))])
      .filter(([, ratio]) => !(ratio >= 4.5))
      .map(([text, ratio]) => text + ' ' + ratio.toFixed(2)),
    texts: texts.length,
    tooWide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    reachable: [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select')]
      // Tab reaches a group of radio buttons once.
      .filter((element) => element.type !== 'radio' || element.checked).map(name),
    focused: name(focused),
    ring: ring.outlineStyle === 'none' ? 0 : parseFloat(ring.outlineWidth),
    ringContrast: contrast(ring.outlineColor, ground(focused.parentElement ?? focused)),
  }
})()`

const Inspection = z.object({
  lang: z.string(),
  title: z.string(),
  headings: z.number(),
  scripts: z.number(),
  unlabelled: z.array(z.string()),
  untied: z.array(z.string()),
  faint: z.array(z.string()),
  texts: z.number(),
  tooWide: z.number(),
  reachable: z.array(z.string()),
  focused: z.string(),
  ring: z.number(),
  ringContrast: z.number(),
})
type Inspection = z.infer<typeof Inspection>

interface Evaluates {
  evaluate(script: string): Promise<unknown>
}

/** What a page is like to those who see little, hear it read, or have no mouse. */
export const inspect = async (page: Evaluates): Promise<Inspection> => z.parse(Inspection, await page.evaluate(script))
