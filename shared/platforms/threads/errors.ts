import type { GraphClassification, GraphError } from '../graph/site.ts'
import { type Classification, commonErrors, PlatformError } from '../platform-error.ts'

/** Threads' own errors beyond Meta's common ones (Threads API, Error Codes). */
const subcodes = new Map<number, GraphClassification>([
  [4279009, ['transient', 'is still processing the prepared post.']],
  [4279013, ['blocked', 'restricted this account']],
  [2207051, ['blocked', 'blocked the post as spam']],
])

export const classify = ({ code, subcode, message }: GraphError): GraphClassification | undefined => {
  if (code !== 190 && /Error validating access token/i.test(message)) return commonErrors.accessRevoked
  // The media host was unreachable for a moment.
  if (/could not be fetched from this URI/i.test(message)) return commonErrors.mediaNotFetched
  return subcodes.get(subcode ?? 0)
}

/**
 * The errors of a call that names a post which does not exist, or is not shown yet. The documentation names no error: these
 * are the ones for media and objects that do not exist (Threads API, Error Codes; Graph API, Handling Errors).
 */
const notShown = new Set(['24', '24/4279009', '100/33'])

export const isNotShown = (error: unknown): error is PlatformError =>
  error instanceof PlatformError && error.errorClass !== 'permission' && notShown.has(error.info.code ?? '')

/** A missing scope (Graph API, Handling Errors: 10, 200 to 299). */
export const isNotPermitted = (error: unknown): error is PlatformError =>
  error instanceof PlatformError && error.errorClass === 'permission' && /^(?:10|2\d\d)$/.test(error.info.code ?? '')

export const deletionNotPermitted: Classification = [
  'permission',
  'does not let this service delete posts of the account. Reconnect the account and grant all permissions.',
  { otherPostsWork: true },
]

/** Accounts that were connected before this service requested the permission publish everything else. */
export const repliesNotPermitted: Classification = [
  'permission',
  'does not let this service reply for the account, which threads and first comments need. Reconnect the account and grant all permissions.',
  { otherPostsWork: true },
]
