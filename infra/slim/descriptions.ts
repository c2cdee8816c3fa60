const quotes = new Set(["'", '"', '`'])
const opening = new Set(['(', '[', '{'])
const closing = new Set([')', ']', '}'])

/** Where a string, a comment, or a regular expression that begins here ends; the next position otherwise. */
const skip = (source: string, from: number): number => {
  const sign = source[from] ?? ''
  if (quotes.has(sign)) {
    for (let at = from + 1; at < source.length; at += 1) {
      if (source[at] === '\\') at += 1
      else if (sign === '`' && source.startsWith('${', at)) at = closeOf(source, at + 2).end - 1
      else if (source[at] === sign) return at + 1
    }
    throw new Error('a string does not end')
  }
  if (source.startsWith('//', from)) return source.indexOf('\n', from) + 1 || source.length
  if (source.startsWith('/*', from)) return source.indexOf('*/', from) + 2
  // Where a value is expected, a slash begins a regular expression.
  if (sign === '/' && /[(,=:[!&|?{};]\s*$/.test(source.slice(Math.max(0, from - 40), from))) {
    let inClass = false
    for (let at = from + 1; at < source.length; at += 1) {
      if (source[at] === '\\') at += 1
      else if (source[at] === '[') inClass = true
      else if (source[at] === ']') inClass = false
      else if (source[at] === '/' && !inClass) return at + 1
    }
  }
  return from + 1
}

/** Where a bracket closes that opened before `from`, and the first comma directly inside it. */
function closeOf(source: string, from: number): { end: number; comma: number | undefined } {
  let depth = 1
  let comma: number | undefined
  for (let at = from; at < source.length; ) {
    const sign = source[at] ?? ''
    if (opening.has(sign)) depth += 1
    if (closing.has(sign)) depth -= 1
    if (depth === 0) return { end: at + 1, comma }
    if (sign === ',' && depth === 1) comma ??= at
    at = skip(source, at)
  }
  throw new Error('a bracket does not close')
}

const call = /\bdescribed\(/g

/** Each call `described(schema, text)` becomes `(schema)`: only the API reference reads the texts. */
export const dropDescriptions = (source: string): string => {
  let kept = ''
  let done = 0
  call.lastIndex = 0
  for (let found = call.exec(source); found !== null; found = call.exec(source)) {
    const from = found.index + found[0].length
    const { end, comma } = closeOf(source, from)
    const schema = source.slice(from, comma ?? end - 1)
    const { lastIndex } = call
    kept += `${source.slice(done, found.index)}(${dropDescriptions(schema)})`
    done = end
    call.lastIndex = Math.max(lastIndex, end)
  }
  return kept + source.slice(done)
}
