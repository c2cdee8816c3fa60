/** One field or file of a form. */
export interface Part {
  readonly name: string
  readonly filename: string | undefined
  readonly type: string | undefined
  readonly bytes: Buffer
}

export class MultipartError extends Error {}

const crlf = Buffer.from('\r\n')
const headersEnd = Buffer.from('\r\n\r\n')
const maxHeaderBytes = 16 * 1024

/** Parses a multipart/form-data body (RFC 7578); throws `MultipartError` if it is not one. */
export function parseMultipart(contentType: string, body: Buffer): Part[] {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? bare
  if (!/^multipart\/form-data\b/i.test(contentType) || boundary === undefined) {
    throw new MultipartError('The content type must be multipart/form-data with a boundary')
  }
  return splitParts(body, boundary).map(parsePart)
}

/** The parts between the boundaries of a body (RFC 2046, section 5.1); throws `MultipartError` if there are none. */
export function splitParts(body: Buffer, boundary: string, lineEnd: Buffer = crlf): Buffer[] {
  const parts: Buffer[] = []
  const findDelimiter = delimiterFinder(body, boundary, lineEnd)
  let delimiter = findDelimiter(0)
  while (delimiter !== undefined && !delimiter.last) {
    const next = findDelimiter(delimiter.end - lineEnd.length)
    if (next === undefined) throw new MultipartError('The body ends without its closing boundary')
    parts.push(body.subarray(delimiter.end, Math.max(delimiter.end, next.start)))
    delimiter = next
  }
  if (delimiter === undefined) throw new MultipartError('The boundary does not occur in the body')
  return parts
}

interface Delimiter {
  /** The end of the content before it. */
  start: number
  /** The start of the part after it. */
  end: number
  last: boolean
}

/** Finds the next line that is exactly the boundary; text that only begins like it belongs to the content. */
const delimiterFinder = (body: Buffer, boundary: string, lineEnd: Buffer) => {
  const dashed = Buffer.from(`--${boundary}`)
  return (from: number): Delimiter | undefined => {
    for (let at = body.indexOf(dashed, from); at !== -1; at = body.indexOf(dashed, at + 1)) {
      const start = at - lineEnd.length
      if (at !== 0 && !startsWith(body, start, lineEnd)) continue
      const after = at + dashed.length
      if (startsWith(body, after, Buffer.from('--'))) return { start, end: after + 2, last: true }
      const end = skipBlanks(body, after)
      if (startsWith(body, end, lineEnd)) return { start, end: end + lineEnd.length, last: false }
    }
    return undefined
  }
}

function parsePart(part: Buffer): Part {
  const bare = startsWith(part, 0, crlf)
  const at = bare ? 0 : part.indexOf(headersEnd)
  if (at === -1 || at > maxHeaderBytes) throw new MultipartError('A part has no end to its headers')
  const headers = part.toString('utf8', 0, at).split('\r\n')
  const disposition = readHeader(headers, 'content-disposition')
  const name = readQuoted(disposition, 'name')
  if (name === undefined) throw new MultipartError('A part has no name')
  const type = readHeader(headers, 'content-type') || undefined
  return { name, filename: readQuoted(disposition, 'filename'), type, bytes: part.subarray(at + headersEnd.length) }
}

function readHeader(headers: readonly string[], name: string): string {
  const line = headers.find((header) => header.toLowerCase().startsWith(`${name}:`)) ?? ''
  return line.slice(name.length + 1).trim()
}

/** Clients write quotes and line ends inside a name as percent signs (the HTML standard's form encoding). */
function readQuoted(disposition: string, key: string): string | undefined {
  const value = new RegExp(`;\\s*${key}="([^"]*)"`, 'i').exec(disposition)?.[1]
  return value?.replace(/%22/g, '"').replace(/%0D/gi, '\r').replace(/%0A/gi, '\n')
}

function startsWith(body: Buffer, at: number, bytes: Buffer): boolean {
  return at >= 0 && body.subarray(at, at + bytes.length).equals(bytes)
}

function skipBlanks(body: Buffer, at: number): number {
  let end = at
  while (body[end] === 0x20 || body[end] === 0x09) end++
  return end
}
