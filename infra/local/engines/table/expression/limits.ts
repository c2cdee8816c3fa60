import { Fault } from '../../aws-server.ts'
import type { Token } from './lexer.ts'
import type { Path } from './nodes.ts'

// AWS, "Constraints in Amazon DynamoDB", "Expression parameters", and "Attributes" for the depth of a path.
const maxBytes = 4096
const maxOperators = 300
const maxOperandsOfIn = 100
const maxSteps = 32
const maxIndex = 2 ** 31 - 1

const operators = /^(?:AND|OR|NOT|IN|\+|-)$/i
const comparators = /^(?:=|<>|<=|>=|<|>)$/

/** Operators and functions; the AND of a BETWEEN belongs to it, and the = of an update does not count. */
const countOf = (tokens: readonly Token[], what: string): number =>
  tokens.filter(({ kind, text }, at) => {
    if (operators.test(text)) return true
    if (comparators.test(text)) return what !== 'UpdateExpression'
    return kind === 'word' && tokens[at + 1]?.text === '('
  }).length

/** Rejects an expression that is too long or has too many operators; `what` names the parameter in errors. */
export const assertExpression = (text: string, tokens: readonly Token[], what: string): void => {
  const bytes = Buffer.byteLength(text)
  if (bytes > maxBytes) {
    throw new Fault(
      'ValidationException',
      `Invalid ${what}: Expression size has exceeded the maximum allowed size; expression size: ${bytes}`,
    )
  }
  const count = countOf(tokens, what)
  if (count > maxOperators) {
    throw new Fault(
      'ValidationException',
      `Invalid ${what}: The expression contains too many operators; operator count: ${count}`,
    )
  }
}

export const assertOperandsOfIn = (count: number, what: string): void => {
  if (count <= maxOperandsOfIn) return
  throw new Fault(
    'ValidationException',
    `Invalid ${what}: The IN operator is provided with too many operands; number of operands: ${count}`,
  )
}

export const assertPath = (path: Path, what: string): void => {
  if (path.length > maxSteps) {
    throw new Fault(
      'ValidationException',
      `Invalid ${what}: The document path has too many nesting levels; nesting levels: ${path.length}`,
    )
  }
  const index = path.find((step) => typeof step === 'number' && step > maxIndex)
  if (index === undefined) return
  throw new Fault(
    'ValidationException',
    `Invalid ${what}: List index is not within the allowable range; index: [${index}]`,
  )
}
