import type { APIGatewayProxyResult } from 'aws-lambda'
import { Refusal } from '../errors/refusal.ts'
import { header, type RequestContext } from './request-context.ts'

/** More versions than a client needs to name. */
const maxTags = 50

/** An entity tag, weak or strong (RFC 9110, 8.8.3). */
const tags = /(?:W\/)?"[!\x23-\x7e\x80-\uffff]*"/g

/** The strong ETag of a version of a resource; every change increases the version. */
export const tagOf = (version: number): string => `"${version}"`

const malformed = () =>
  new Refusal('invalid', '"If-Match" must be an ETag with its quotes, several separated by commas, or *.', {
    code: 'invalid_input',
    field: 'If-Match',
  })

/**
 * The versions that If-Match accepts; undefined if it accepts any. Weak tags and tags of other resources match no
 * version (RFC 9110, 13.1.1).
 */
export const versionsIn = (ifMatch: string | undefined): readonly number[] | undefined => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  const etags = ifMatch.match(tags) ?? []
  const parts = ifMatch
    .replace(tags, '""')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (parts.length === 0 || parts.some((part) => part !== '""')) throw malformed()
  if (etags.length > maxTags) {
    throw new Refusal('invalid', `"If-Match" must have at most ${maxTags} tags.`, {
      code: 'invalid_input',
      field: 'If-Match',
    })
  }
  return [...new Set(etags.flatMap((tag) => (/^"[1-9]\d{0,14}"$/.test(tag) ? Number(tag.slice(1, -1)) : [])))]
}

const bare = (tag: string): string => tag.trim().replace(/^W\//, '')

/** Whether If-None-Match names the current state; weak and strong tags are compared in the same way (RFC 9110, 13.1.2). */
const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' || (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).map(bare).includes(bare(etag)))

/** Responds with 304 without a body if the caller already has the response (RFC 9110, 15.4.5). */
export const unlessKnown = (
  { event, contract }: RequestContext,
  answer: APIGatewayProxyResult,
): APIGatewayProxyResult => {
  const etag = answer.headers?.['ETag']
  if (contract.method !== 'GET' || answer.statusCode !== 200 || typeof etag !== 'string') return answer
  if (!isKnown(header(event, 'If-None-Match'), etag)) return answer
  const { 'Content-Type': _, ...headers } = answer.headers ?? {}
  return { statusCode: 304, headers, body: '' }
}
