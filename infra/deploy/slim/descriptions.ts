import { parseSync, Visitor } from 'oxc-parser'

/** The import of the function that gives a schema its description; others may have the same name. */
const imported = /^import \{[^}]*\bdescribed\b[^}]*\} from '[^']*\/described\.ts'$/m

const blank = (text: string) => text.replace(/[^\n]/g, ' ')

/**
 * A source without the descriptions and examples of its schemas, which the API reference has, and no function reads. Blanks
 * replace them, so that source maps still name the right columns.
 */
export const withoutDescriptions = (text: string, path: string): string => {
  const isImported = imported.test(text)
  if (!isImported && !text.includes('globalRegistry')) return text
  const cuts: { start: number; end: number }[] = []
  new Visitor({
    CallExpression({ callee, arguments: [first], end }) {
      if (first === undefined) return
      if (isImported && callee.type === 'Identifier' && callee.name === 'described') {
        cuts.push(callee, { start: first.end, end: end - 1 })
      } else if (
        callee.type === 'MemberExpression' &&
        text.slice(callee.property.start, first.end) === 'register(z.globalRegistry'
      ) {
        cuts.push({ start: callee.object.end, end })
      }
    },
  }).visit(parseSync(path, text).program)
  const ordered = cuts.toSorted((a, b) => a.start - b.start)
  let [rest, at] = ['', 0]
  for (const { start, end } of ordered) {
    // A description inside of one that is gone is gone.
    if (end <= at) continue
    rest += text.slice(at, start) + blank(text.slice(start, end))
    at = end
  }
  return rest + text.slice(at)
}
