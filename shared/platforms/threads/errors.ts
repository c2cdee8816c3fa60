import type { GraphClassification, GraphError } from '../graph/site.ts'
import { commonErrors } from '../platform-error.ts'

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
