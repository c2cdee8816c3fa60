import type { Call } from '../standin.ts'

interface RelatedPart {
  type: string
  bytes: Buffer
}

/** The parts of a multipart/related body (RFC 2387); none if it is not one. */
export function readRelated({ headers, body }: Call): RelatedPart[] {
  const [, boundary] = /^multipart\/related;\s*boundary="?([^\s;"]{1,70})"?/i.exec(headers['content-type'] ?? '') ?? []
  if (boundary === undefined) return []
  const pieces = body.toString('latin1').split(`--${boundary}`).slice(1, -1)
  return pieces.map((piece) => {
    const at = piece.indexOf('\r\n\r\n')
    const [, type = ''] = /content-type:\s*([^\s;]+)/i.exec(piece.slice(0, at)) ?? []
    return { type, bytes: Buffer.from(piece.slice(at + 4).replace(/\r\n$/, ''), 'latin1') }
  })
}
