import { MultipartError, splitParts } from '../../pages/multipart.ts'
import type { Call } from '../standin.ts'

interface RelatedPart {
  type: string
  bytes: Buffer
}

/** The parts of a multipart/related body (RFC 2387); none if it is not one. */
export function readRelated({ headers, body }: Call): RelatedPart[] {
  const [, boundary] = /^multipart\/related;\s*boundary="?([^\s;"]{1,70})"?/i.exec(headers['content-type'] ?? '') ?? []
  if (boundary === undefined) return []
  try {
    return splitParts(body, boundary).map((part) => {
      const at = part.indexOf('\r\n\r\n')
      const [, type = ''] = /content-type:\s*([^\s;]+)/i.exec(part.toString('latin1', 0, at)) ?? []
      return { type, bytes: part.subarray(at + 4) }
    })
  } catch (error) {
    if (error instanceof MultipartError) return []
    throw error
  }
}
