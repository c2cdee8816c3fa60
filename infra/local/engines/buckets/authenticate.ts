import type { IncomingHttpHeaders } from 'node:http'
import {
  canonicalRequest,
  encodePath,
  parseAmzDate,
  type Scope,
  sameSignature,
  sign,
  signingKey,
  stringToSign,
} from '../../iam/signing.ts'
import { type Claim, claimInHeader, claimInQuery } from './claim.ts'
import { S3Error } from './error.ts'
import type { Target } from './target.ts'

export type Credentials =
  | { accessKeyId: string; secretAccessKey: string }
  | ((accessKeyId: string) => string | undefined)

/** What remains of a signature that was right; signed chunks continue its chain. */
export interface Proof extends Claim {
  key: Buffer
  presigned: boolean
}

const maxSkewMs = 15 * 60_000

/** The signing key for a scope, if the access key is ours. */
export function keyFor(credentials: Credentials, scope: Scope): Buffer {
  const { accessKeyId } = scope
  const known = typeof credentials === 'function' || credentials.accessKeyId === accessKeyId
  const secret = typeof credentials === 'function' ? credentials(accessKeyId) : credentials.secretAccessKey
  if (!known || secret === undefined) {
    throw new S3Error('InvalidAccessKeyId', 'This access key is not known here.', { AWSAccessKeyId: accessKeyId })
  }
  return signingKey(secret, scope)
}

function checkTime({ timestamp, expiresInSeconds }: Claim, now: number): void {
  const signedAt = parseAmzDate(timestamp)
  const ServerTime = new Date(now).toISOString()
  if (expiresInSeconds === undefined) {
    if (Math.abs(now - signedAt) <= maxSkewMs) return
    throw new S3Error('RequestTimeTooSkewed', 'The time of the request is too far from ours.', { ServerTime })
  }
  if (signedAt > now + maxSkewMs) throw new S3Error('AccessDenied', 'Request is not valid yet', { ServerTime })
  const expiresAt = signedAt + expiresInSeconds * 1000
  if (now <= expiresAt) return
  throw new S3Error('AccessDenied', 'Request has expired', { Expires: new Date(expiresAt).toISOString(), ServerTime })
}

/** S3 rejects an x-amz- header that was added to a signed request. */
function checkSignedHeaders(headers: IncomingHttpHeaders, signed: string[]): void {
  const unsigned = Object.keys(headers).filter((name) => name.startsWith('x-amz-') && !signed.includes(name))
  if (signed.includes('host') && unsigned.length === 0) return
  throw new S3Error('AccessDenied', 'The request has headers that were not signed', {
    HeadersNotSigned: signed.includes('host') ? unsigned.join(', ') : 'host',
  })
}

/** S3 encodes the path once and never removes dot segments, unlike every other service. */
function canonicalPath(path: string): string {
  try {
    return encodePath(decodeURIComponent(path))
  } catch {
    throw new S3Error('InvalidURI', 'The address of this request cannot be decoded.')
  }
}

/** Proves who sent a request, by the Authorization header or the query of a presigned URL (SigV4). */
export function authenticate(
  request: { method: string; target: Target; headers: IncomingHttpHeaders },
  credentials: Credentials,
  now: number,
): Proof {
  const { method, target, headers } = request
  const presigned = target.query.some(([name]) => name === 'X-Amz-Algorithm')
  if (presigned && headers.authorization !== undefined) {
    const message =
      'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified'
    throw new S3Error('InvalidArgument', message, {
      ArgumentName: 'Authorization',
      ArgumentValue: headers.authorization,
    })
  }
  if (!presigned && headers.authorization === undefined) throw new S3Error('AccessDenied', 'Access Denied')
  const claim = presigned ? claimInQuery(target, headers) : claimInHeader(headers)
  const key = keyFor(credentials, claim.scope)
  checkTime(claim, now)
  const { signedHeaders, payloadHash, timestamp, scope } = claim
  const { query } = target
  const path = canonicalPath(target.path)
  const CanonicalRequest = canonicalRequest({ method, path, query, headers, signedHeaders, payloadHash })
  const StringToSign = stringToSign(timestamp, scope, CanonicalRequest)
  if (!sameSignature(sign(key, StringToSign), claim.signature)) {
    throw new S3Error('SignatureDoesNotMatch', 'The signature is not the one this request would have.', {
      StringToSign,
      CanonicalRequest,
    })
  }
  checkSignedHeaders(headers, signedHeaders)
  return { ...claim, key, presigned }
}
