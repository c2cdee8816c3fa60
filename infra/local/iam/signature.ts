import type { JsonRequest } from './json.ts'
import {
  canonicalRequest,
  encodePath,
  parseAmzDate,
  parseAuthorization,
  sameSignature,
  sha256Hex,
  sign,
  signingKey,
  stringToSign,
} from './signing.ts'

const maxSkewMs = 15 * 60_000

/** Whether a request of a JSON protocol is signed with the secret of its access key, now (SigV4). */
export const isSigned = (
  { method, path, query, headers, text }: JsonRequest,
  secretOf: (accessKeyId: string) => string | undefined,
  nowMs: number,
): boolean => {
  const claim = parseAuthorization(headers.authorization ?? '')
  const secret = claim && secretOf(claim.scope.accessKeyId)
  if (claim === undefined || secret === undefined) return false
  const { scope, signature, signedHeaders } = claim
  const timestamp = String(headers['x-amz-date'] ?? '')
  if (!(Math.abs(nowMs - parseAmzDate(timestamp)) <= maxSkewMs) || !timestamp.startsWith(scope.date)) return false
  // The operation is in a header, so it has to be signed as well.
  const needed = ['host', 'x-amz-date', ...(headers['x-amz-target'] === undefined ? [] : ['x-amz-target'])]
  if (!needed.every((name) => signedHeaders.includes(name))) return false
  const canonical = canonicalRequest({
    method,
    // Every service but S3 encodes the encoded path once more.
    path: encodePath(path),
    query: [...query],
    headers,
    signedHeaders,
    payloadHash: sha256Hex(text),
  })
  return sameSignature(sign(signingKey(secret, scope), stringToSign(timestamp, scope, canonical)), signature)
}
