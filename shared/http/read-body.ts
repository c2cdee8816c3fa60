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

const invalid = (text: string) => new Refusal('invalid', text, { code: 'invalid_json', field: 'body' })

const read = (exchange: Exchange): unknown => {
  const { event, contract } = exchange
  const raw = event.body ?? ''
  const bytes = event.isBase64Encoded ? Buffer.from(raw, 'base64') : Buffer.from(raw, 'utf8')
  if (bytes.byteLength > maxBodyBytes) {
    throw new Refusal('too-large', `The body has ${bytes.byteLength} bytes: send at most ${maxBodyBytes}.`)
  }
  if (contract.body === undefined || (bytes.byteLength === 0 && contract.bodyOptional)) return undefined
  if (bytes.byteLength === 0) return invalid('The body is empty: send a JSON object.')
  if (!/^application\/json\s*(;|$)/i.test(header(event, 'Content-Type') ?? '')) {
    return invalid('The body needs the header "Content-Type: application/json".')
  }
  const text = bytes.toString('utf8')
  if (text.includes('\uFFFD') && !Buffer.from(text, 'utf8').equals(bytes)) {
    return invalid('The body is not valid UTF-8: encode it as UTF-8.')
  }
  try {
    const value: unknown = JSON.parse(text)
    return deeperThan(value, maxDepth) ? invalid(`The body is nested deeper than ${maxDepth} levels.`) : value
  } catch {
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
