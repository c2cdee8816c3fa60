export interface Token {
  kind: 'word' | 'name' | 'value' | 'sign' | 'number' | 'other' | 'end'
  text: string
  /** The start in the expression. */
  at: number
}

const pattern = /(#\w+)|(:\w+)|([A-Za-z]\w*)|(\d+)|(<>|<=|>=|[=<>(),.[\]+-])|(\S)/gu
const kinds = ['name', 'value', 'word', 'number', 'sign', 'other'] as const

/** Splits an expression into tokens; a character that starts none has the kind `other`. */
export const tokenize = (text: string): Token[] =>
  [...text.matchAll(pattern)].map((match) => {
    const group = match.slice(1).findIndex((part) => part !== undefined)
    return { kind: kinds[group] ?? 'other', text: match[0], at: match.index }
  })
