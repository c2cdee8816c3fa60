import { Fault } from '../../aws-server.ts'

export interface Token {
  kind: 'word' | 'name' | 'value' | 'sign' | 'number' | 'end'
  text: string
}

const pattern = /\s*(?:(#\w+)|(:\w+)|([A-Za-z_]\w*)|(\d+)|(<>|<=|>=|[=<>(),.[\]+-]))/y
const kinds = ['name', 'value', 'word', 'number', 'sign'] as const

export const syntaxFault = (what: string, near: string): Fault =>
  new Fault('ValidationException', `Invalid ${what}: Syntax error; token: "${near}"`)

/** Cuts an expression into tokens; `what` names the parameter in errors. */
export const tokenize = (text: string, what: string): Token[] => {
  const tokens: Token[] = []
  const scanner = new RegExp(pattern)
  const end = text.trimEnd().length
  while (scanner.lastIndex < end) {
    const at = scanner.lastIndex
    const match = scanner.exec(text)
    if (match === null) throw syntaxFault(what, text.slice(at, at + 10).trim())
    const group = match.slice(1).findIndex((part) => part !== undefined)
    tokens.push({ kind: kinds[group] ?? 'sign', text: match[group + 1] ?? '' })
  }
  return tokens
}
