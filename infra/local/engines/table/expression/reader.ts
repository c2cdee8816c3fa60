import { Fault } from '../../aws-server.ts'
import { type Token, tokenize } from './lexer.ts'
import { assertExpression, assertPath } from './limits.ts'
import type { Operand, Path } from './nodes.ts'
import type { Placeholders } from './placeholders.ts'
import { reservedWords } from './reserved-words.ts'

/** Keywords of the grammar, which cannot be names. */
const keywords = /^(?:AND|OR|NOT|IN|BETWEEN|SET|ADD|DELETE|REMOVE)$/i

/** Walks through the tokens of one expression; the parsers of conditions, updates and projections share it. */
export class Reader {
  readonly what: string
  readonly marks: Placeholders
  readonly #text: string
  readonly #tokens: readonly Token[]
  readonly #end: Token
  #at = 0
  /** The parentheses that were closed last, by the positions of their tokens. */
  #closed = { from: -1, to: -1 }

  constructor(text: string, what: string, marks: Placeholders) {
    if (text.trim() === '') {
      throw new Fault('ValidationException', `Invalid ${what}: The expression can not be empty;`)
    }
    this.what = what
    this.marks = marks
    this.#text = text
    this.#tokens = tokenize(text)
    assertExpression(text, this.#tokens, what)
    this.#end = { kind: 'end', text: '<EOF>', at: text.length }
  }

  peek(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? this.#end
  }

  next(): Token {
    const token = this.peek()
    this.#at += 1
    return token
  }

  /** A syntax error, shown with the tokens on both sides as AWS shows it. */
  fault(token = this.peek()): Fault {
    const position = token.kind === 'end' ? this.#tokens.length : this.#tokens.indexOf(token)
    const first = this.#tokens[position - 1] ?? token
    const last = this.#tokens[position + 1] ?? this.#tokens[position] ?? first
    const near = this.#text.slice(first.at, last.at + last.text.length)
    return new Fault(
      'ValidationException',
      `Invalid ${this.what}: Syntax error; token: "${token.text}", near: "${near}"`,
    )
  }

  isSign(text: string): boolean {
    const { kind, text: actual } = this.peek()
    return kind === 'sign' && actual === text
  }

  isWord(word: string): boolean {
    const { kind, text } = this.peek()
    return kind === 'word' && text.toUpperCase() === word
  }

  /** Consumes a token or a keyword if it comes next. */
  take(text: string): boolean {
    const there = this.isSign(text) || this.isWord(text)
    if (there) this.#at += 1
    return there
  }

  expect(text: string): void {
    if (!this.take(text)) throw this.fault()
  }

  /** The content of parentheses, if they come next. */
  inParentheses<T>(read: (reader: Reader) => T): T | undefined {
    const from = this.#at
    if (!this.take('(')) return undefined
    const inner = read(this)
    const to = this.#at
    this.expect(')')
    if (this.#closed.from === from + 1 && this.#closed.to === to - 1) {
      throw new Fault('ValidationException', `Invalid ${this.what}: The expression has redundant parentheses;`)
    }
    this.#closed = { from, to }
    return inner
  }

  /** The token after the parentheses that come next; the end if there are none, or if they do not close. */
  behindParentheses(): Token {
    if (!this.isSign('(')) return this.#end
    let depth = 0
    for (let at = this.#at; at < this.#tokens.length; at += 1) {
      const { kind, text } = this.#tokens[at] ?? this.#end
      if (kind === 'sign' && text === '(') depth += 1
      if (kind === 'sign' && text === ')') depth -= 1
      if (depth === 0) return this.#tokens[at + 1] ?? this.#end
    }
    return this.#end
  }

  /** One or more of something, separated by commas. */
  list<T>(read: () => T): T[] {
    const all = [read()]
    while (this.take(',')) all.push(read())
    return all
  }

  finish(): void {
    if (this.peek().kind !== 'end') throw this.fault()
  }

  path(): Path {
    const path: [string, ...(string | number)[]] = [this.#segment()]
    for (;;) {
      if (this.take('.')) path.push(this.#segment())
      else if (this.take('[')) {
        const index = this.next()
        if (index.kind !== 'number') throw this.fault(index)
        this.expect(']')
        path.push(Number(index.text))
      } else break
    }
    assertPath(path, this.what)
    return path
  }

  #segment(): string {
    const token = this.next()
    if (token.kind === 'name') return this.marks.name(token.text, this.what)
    if (token.kind !== 'word' || keywords.test(token.text)) throw this.fault(token)
    if (!reservedWords.has(token.text.toUpperCase())) return token.text
    throw new Fault(
      'ValidationException',
      `Invalid ${this.what}: Attribute name is a reserved keyword; reserved keyword: ${token.text}`,
    )
  }

  /** A value, or a path. */
  plain(): Operand {
    const { kind, text } = this.peek()
    if (kind !== 'value') return { is: 'path', path: this.path() }
    this.next()
    return { is: 'value', value: this.marks.value(text, this.what) }
  }

  /** The function that comes next, if there is one. */
  call(): string | undefined {
    const { kind, text } = this.peek()
    const isCall = kind === 'word' && this.peek(1).kind === 'sign' && this.peek(1).text === '('
    if (!isCall) return undefined
    this.#at += 2
    return text
  }

  noFunction(name: string): Fault {
    return new Fault('ValidationException', `Invalid ${this.what}: Invalid function name; function: ${name}`)
  }
}
