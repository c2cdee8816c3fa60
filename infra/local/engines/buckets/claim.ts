import type { IncomingHttpHeaders } from 'node:http'
import { parseAmzDate, parseAuthorization, parseScope, type Scope } from '../../iam/signing.ts'
import { S3Error } from './error.ts'
import type { Target } from './target.ts'

/** What a request claims about its signature; nothing of it is verified yet. */
export interface Claim {
  scope: Scope
  timestamp: string
  signedHeaders: string[]
  signature: string
  payloadHash: string
  /** Set for presigned URLs only. */
  expiresInSeconds?: number
}

const maxExpirySeconds = 604_800

/** Reads the Authorization header. */
export function claimInHeader(headers: IncomingHttpHeaders): Claim {
  const malformed = (message: string) => new S3Error('AuthorizationHeaderMalformed', message)
  const { authorization = '' } = headers
  if (!authorization.startsWith('AWS4-HMAC-SHA256 '))
    throw new S3Error('InvalidRequest', 'Only AWS4-HMAC-SHA256 is supported.')
  const parsed = parseAuthorization(authorization)
  if (parsed?.scope.service !== 's3') throw malformed('Credential, SignedHeaders or Signature is missing.')
  const { scope, signature, signedHeaders } = parsed
  const timestamp = String(headers['x-amz-date'] ?? '')
  if (Number.isNaN(parseAmzDate(timestamp))) throw new S3Error('AccessDenied', 'A valid X-Amz-Date header is needed.')
  if (!timestamp.startsWith(scope.date)) throw malformed('The date of the credential differs from X-Amz-Date.')
  const payloadHash = headers['x-amz-content-sha256']
  if (typeof payloadHash !== 'string')
    throw new S3Error('InvalidRequest', 'The x-amz-content-sha256 header is missing.')
  return { scope, timestamp, signedHeaders, signature, payloadHash }
}

/** Reads the query of a presigned URL. */
export function claimInQuery(target: Target, headers: IncomingHttpHeaders): Claim {
  const malformed = (message: string) => new S3Error('AuthorizationQueryParametersError', message)
  const query = new Map(target.query)
  const scope = parseScope(query.get('X-Amz-Credential') ?? '')
  const signature = query.get('X-Amz-Signature')
  const signedHeaders = query.get('X-Amz-SignedHeaders')?.split(';')
  const timestamp = query.get('X-Amz-Date') ?? ''
  const expiresInSeconds = Number(query.get('X-Amz-Expires') ?? Number.NaN)
  if (query.get('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') throw malformed('X-Amz-Algorithm is not supported.')
  if (scope?.service !== 's3' || !signature || !signedHeaders) throw malformed('A part of the signature is missing.')
  if (!timestamp.startsWith(scope.date) || Number.isNaN(parseAmzDate(timestamp)))
    throw malformed('X-Amz-Date is wrong.')
  if (!Number.isInteger(expiresInSeconds) || expiresInSeconds < 1 || expiresInSeconds > maxExpirySeconds) {
    throw malformed('X-Amz-Expires must lie between 1 and 604800 seconds.')
  }
  const sent = headers['x-amz-content-sha256'] ?? query.get('X-Amz-Content-Sha256')
  const payloadHash = typeof sent === 'string' ? sent : 'UNSIGNED-PAYLOAD'
  return { scope, timestamp, signedHeaders, signature, payloadHash, expiresInSeconds }
}
