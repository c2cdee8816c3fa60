import { MultipartError, splitParts } from '../../pages/multipart.ts'
import type { Call } from '../standin.ts'

interface RelatedPart {
  type: string
  bytes: Buffer
}

/** The parts of a multipart/related body (RFC 2387), also with the line ends of Google's client for Python; none if it is not one. */
export function readRelated({ headers, body }: Call): RelatedPart[] {
  const [, boundary] = /^multipart\/related;\s*boundary="?([^\s;"]{1,70})"?/i.exec(headers['content-type'] ?? '') ?? []
  if (boundary === undefined) return []
  const first = body.indexOf(`--${boundary}`) + boundary.length + 2
  const lineEnd = body[first] === 0x0a ? '\n' : '\r\n'
  try {
    return splitParts(body, boundary, Buffer.from(lineEnd)).map((part) => {
      const at = part.indexOf(lineEnd.repeat(2))
      const [, type = ''] = /content-type:\s*([^\s;]+)/i.exec(part.toString('latin1', 0, at)) ?? []
      return { type, bytes: part.subarray(at + 2 * lineEnd.length) }
    })
  } catch (error) {
    if (error instanceof MultipartError) return []
    throw error
  }
}
