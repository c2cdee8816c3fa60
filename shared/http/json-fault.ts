const space = /[ \t\n\r]*/y
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** The position after a pattern that starts at a position; undefined if it does not. */
const after = (pattern: RegExp, text: string, at: number): number | undefined => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** Thrown at the first character that no JSON text (RFC 8259) can have there. */
class Fault extends Error {
  readonly at: number
  constructor(at: number) {
    super()
    this.at = at
  }
}

const endOfString = (text: string, start: number): number => {
  if (text[start] !== '"') throw new Fault(start)
  for (let at = start + 1; ; ) {
    const sign = text[at]
    if (sign === '"') return at + 1
    if (sign === undefined || sign < ' ') throw new Fault(at)
    const next = sign === '\\' ? after(escaped, text, at) : at + 1
    if (next === undefined) throw new Fault(at)
    at = next
  }
}

/** Reads values without recursion: `open` holds the brackets that are still to be closed. */
const scan = (text: string): void => {
  const open: ('}' | ']')[] = []
  const skip = (at: number) => after(space, text, at) ?? at
  const key = (at: number) => {
    const colon = skip(endOfString(text, at))
    if (text[colon] !== ':') throw new Fault(colon)
    return skip(colon + 1)
  }
  let at = skip(0)
  for (;;) {
    // A value starts here.
    const sign = text[at]
    if (sign === '{' || sign === '[') {
      const close = sign === '{' ? '}' : ']'
      const inner = skip(at + 1)
      if (text[inner] !== close) {
        open.push(close)
        at = close === '}' ? key(inner) : inner
        continue
      }
      at = inner + 1
    } else if (sign === '"') at = endOfString(text, at)
    else {
      const end = after(scalar, text, at)
      if (end === undefined) throw new Fault(at)
      at = end
    }
    // A value ends here.
    at = skip(at)
    while (open.length > 0 && text[at] === open.at(-1)) {
      open.pop()
      at = skip(at + 1)
    }
    const within = open.at(-1)
    if (within === undefined || text[at] !== ',') throw new Fault(at)
    at = skip(at + 1)
    if (within === '}') at = key(at)
  }
}

/** Where a text that is not JSON stops being it, counted from 1. */
export const firstFault = (text: string): { line: number; column: number } => {
  try {
    scan(text)
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault
    const above = text.slice(0, fault.at).split('\n')
    return { line: above.length, column: (above.at(-1) ?? '').length + 1 }
  }
  return { line: 1, column: 1 }
}
