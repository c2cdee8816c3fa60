import type { CodeOf } from '../errors/catalog.ts'
import { Refusal } from '../errors/refusal.ts'
import { counted } from '../text/counting.ts'
import type { BinaryBody } from './contract.ts'
import { header, type RequestContext, type Step } from './request-context.ts'

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

/** The position at which a text stops being valid JSON, counted from 1. */
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

/** Maximum size of a body, in bytes, unless the route names another one. */
const maxBodyBytes = 1024 * 1024

type Contract = RequestContext['contract']

/** Maximum nesting of a body. */
const maxDepth = 32

const deeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => deeperThan(inner, levels - 1)))

/**
 * Names that every object inherits; a library that merges or inspects a value would mistake such a member for the inherited
 * one.
 */
const inherited: readonly string[] = ['__proto__', 'constructor', 'prototype']

/** The path of a member with one of those names. */
const inheritedIn = (value: unknown): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    if (inherited.includes(name)) return name
    const deeper = inheritedIn(inner)
    if (deeper !== undefined) return `${name}.${deeper}`
  }
  return undefined
}

const refuseName = (field: string) =>
  new Refusal('invalid', `"${field}" is a reserved name. Rename or remove the field.`, { code: 'invalid_input', field })

/** The bodies that a route accepts. */
const expectedType = ({ binary }: Contract): string =>
  binary === undefined
    ? 'Send a JSON object.'
    : `Send a JSON object, or at most ${binary.maxBytes} bytes with one of these content types: ${binary.types.join(', ')}.`

/** What is wrong with a content type; callers often send a form or plain text by mistake. */
const notJson = (contract: Contract, contentType: string): string => {
  const rule = contract.binary
    ? 'The header "Content-Type" must be "application/json", or the type of a recording.'
    : 'The header "Content-Type" must be "application/json".'
  const sent = contentType === '' ? 'The request has none.' : `The request has "${contentType.slice(0, 100)}".`
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)/i.test(contentType)
  return `${rule} ${sent} ${isForm ? 'Forms are not read. ' : ''}${expectedType(contract)}`
}

const unreadable = (code: CodeOf<'invalid'>, text: string) => new Refusal('invalid', text, { code, field: 'body' })
const invalid = (text: string) => unreadable('invalid_json', text)

/**
 * API Gateway replaces bytes that are not UTF-8 with U+FFFD, so that a literal U+FFFD looks the same. The
 * JSON escape is unambiguous.
 */
const notUtf8 =
  'The body has the character U+FFFD, which takes the place of bytes that are not valid UTF-8. Encode the body as UTF-8. If you mean the character itself, send its escape \\ufffd.'

/** The content type of a body that the route accepts as bytes, and its maximum size. */
const binaryOf = ({ binary }: Contract, contentType: string) => {
  const [type = ''] = contentType.toLowerCase().split(';')
  return binary?.types.includes(type.trim()) ? { type: type.trim(), maxBytes: binary.maxBytes } : undefined
}

const isBinary = (body: unknown): body is BinaryBody =>
  typeof body === 'object' && body !== null && 'bytes' in body && body.bytes instanceof Uint8Array

const read = (request: RequestContext): unknown => {
  const { event, contract } = request
  const raw = event.body ?? ''
  const bytes = event.isBase64Encoded ? Buffer.from(raw, 'base64') : Buffer.from(raw, 'utf8')
  const contentType = header(event, 'Content-Type') ?? ''
  const binary = binaryOf(contract, contentType)
  const isJson = /^application\/json\s*(;|$)/i.test(contentType)
  const large = isJson ? contract.largeBody : contract.binary
  const maxBytes = large?.maxBytes ?? maxBodyBytes
  if (bytes.byteLength > maxBytes) {
    const text = `The body has ${counted(bytes.byteLength, 'byte')}. Send at most ${maxBytes}.`
    const { instead } = contract.largeBody ?? {}
    throw new Refusal('too-large', instead === undefined ? text : `${text} ${instead}`, { code: 'body_too_large' })
  }
  if (contract.body === undefined || (bytes.byteLength === 0 && contract.bodyOptional)) return undefined
  if (bytes.byteLength === 0) return unreadable('body_required', `The body is empty. ${expectedType(contract)}`)
  if (binary !== undefined) return { bytes, type: binary.type } satisfies BinaryBody
  if (!isJson) {
    return new Refusal('invalid', notJson(contract, contentType), {
      code: 'unsupported_content_type',
      field: 'Content-Type',
    })
  }
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType) ?? []
  if (!/^utf-?8$/i.test(charset)) {
    const text = `The charset "${charset}" is not supported. Send the body in UTF-8.`
    return new Refusal('invalid', text, { code: 'unsupported_charset', field: 'Content-Type' })
  }
  // A byte order mark may be ignored (RFC 8259, 8.1).
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  try {
    const value: unknown = JSON.parse(text)
    if (text.includes('\uFFFD')) return invalid(notUtf8)
    if (deeperThan(value, maxDepth)) return invalid(`The body has more than ${maxDepth} levels of nesting.`)
    const field = inheritedIn(value)
    return field === undefined ? value : refuseName(field)
  } catch {
    const encoding = header(event, 'Content-Encoding') ?? 'identity'
    if (!/^identity$/i.test(encoding)) {
      const message = `The body with the header "Content-Encoding: ${encoding}" cannot be decoded. Send it uncompressed or with gzip.`
      return new Refusal('invalid', message, { code: 'unsupported_encoding', field: 'Content-Encoding' })
    }
    if (text.includes('\uFFFD')) return invalid(notUtf8)
    const { line, column } = firstFault(text)
    return invalid(`The body is not valid JSON at line ${line}, column ${column}. Check quotes, commas, and brackets.`)
  }
}

/**
 * Reads the JSON body. A body that is too large is rejected immediately; one that cannot be read is rejected after
 * authorization.
 */
export const readBody = (): Step => ({
  before: ({ event: request }) => {
    const body = read(request)
    if (body instanceof Refusal) request.unreadable = body
    else if (isBinary(body)) request.binary = body
    else request.json = body
  },
})
