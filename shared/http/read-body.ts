import { Refusal } from '../errors.ts'
import { type Exchange, header, type Step } from './exchange.ts'

/** Largest JSON body, in bytes (design, decision 2). */
export const maxBodyBytes = 1024 * 1024

/** Deepest nesting of a body. */
const maxDepth = 32

const deeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => deeperThan(inner, levels - 1)))

/** Names that every object has; a library that merges or looks at a value would take the member for what it is. */
const inherited: readonly string[] = ['__proto__', 'constructor', 'prototype']

/** Where a value has a member with one of those names, as a path. */
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
  new Refusal('invalid', `"${field}" is a name that no member may have: rename or remove it.`, {
    code: 'invalid_input',
    field,
  })

const invalid = (text: string) => new Refusal('invalid', text, { code: 'invalid_json', field: 'body' })

/**
 * API Gateway hands bytes that are no UTF-8 on as U+FFFD, so that character cannot be told from them; as an escape of JSON
 * it is read as what it is.
 */
const notUtf8 =
  'The body is not valid UTF-8: encode it as UTF-8. Where U+FFFD itself is meant, write it as the escape \\ufffd.'

const read = (exchange: Exchange): unknown => {
  const { event, contract } = exchange
  const raw = event.body ?? ''
  const bytes = event.isBase64Encoded ? Buffer.from(raw, 'base64') : Buffer.from(raw, 'utf8')
  if (bytes.byteLength > maxBodyBytes) {
    throw new Refusal('too-large', `The body has ${bytes.byteLength} bytes: send at most ${maxBodyBytes}.`, {
      code: 'too_large',
    })
  }
  if (contract.body === undefined || (bytes.byteLength === 0 && contract.bodyOptional)) return undefined
  if (bytes.byteLength === 0) return invalid('The body is empty: send a JSON object.')
  const contentType = header(event, 'Content-Type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    return invalid('The body needs the header "Content-Type: application/json".')
  }
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType) ?? []
  if (!/^utf-?8$/i.test(charset)) {
    const text = `The body is announced in the charset "${charset}": send it in UTF-8, the encoding of JSON.`
    return new Refusal('invalid', text, { code: 'unsupported_charset', field: 'Content-Type' })
  }
  // A byte order mark may be ignored (RFC 8259, 8.1).
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  try {
    const value: unknown = JSON.parse(text)
    if (text.includes('\uFFFD')) return invalid(notUtf8)
    if (deeperThan(value, maxDepth)) return invalid(`The body is nested deeper than ${maxDepth} levels.`)
    const field = inheritedIn(value)
    return field === undefined ? value : refuseName(field)
  } catch {
    const encoding = header(event, 'Content-Encoding') ?? 'identity'
    if (!/^identity$/i.test(encoding)) {
      const told = `The body has the header "Content-Encoding: ${encoding}" and cannot be read: send it uncompressed or with gzip.`
      return new Refusal('invalid', told, { code: 'unsupported_encoding', field: 'Content-Encoding' })
    }
    if (text.includes('\uFFFD')) return invalid(notUtf8)
    return invalid('The body is not valid JSON: check quotes, commas and brackets.')
  }
}

/** Reads the JSON body; too large is refused at once, unreadable is told after authorization. */
export const readBody = (): Step => ({
  before: ({ event: exchange }) => {
    const body = read(exchange)
    if (body instanceof Refusal) exchange.unreadable = body
    else exchange.json = body
  },
})
