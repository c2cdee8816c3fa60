import type { Answer } from './call.ts'
import type { Checksum } from './checksums.ts'
import { S3Error } from './error.ts'
import { leaf, xmlDocument } from './xml-write.ts'

export function answerXml(name: string, ...parts: string[]): Answer {
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: xmlDocument(name, ...parts) }
}

export function quoted(etag: string): string {
  return `"${etag}"`
}

export function checksumHeaders(checksum: Checksum | undefined): Record<string, string> {
  if (!checksum) return {}
  return { [`x-amz-checksum-${checksum.name}`]: checksum.value, 'x-amz-checksum-type': checksum.type }
}

export function checksumXml(checksum: Checksum | undefined): string {
  return checksum ? leaf(`Checksum${checksum.name.toUpperCase()}`, checksum.value) : ''
}

/** The error document of S3; a rejection without a body (HEAD, 304) has only its status. */
export function answerError(error: unknown, resource: string, requestId: string): Answer {
  const refusal = error instanceof S3Error ? error : new S3Error('InternalError', String(error))
  if (refusal.code === 'NotModified') return { status: refusal.status }
  const details = Object.entries(refusal.details).map(([name, value]) => leaf(name, value))
  const parts = [leaf('Code', refusal.code), leaf('Message', refusal.message), ...details, leaf('Resource', resource)]
  const { headers = {}, body = '' } = answerXml('Error', ...parts, leaf('RequestId', requestId))
  // Unlike every other document, an error has no namespace.
  return { status: refusal.status, headers, body: String(body).replace(/ xmlns="[^"]*"/, '') }
}
