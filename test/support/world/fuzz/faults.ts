import type { Route } from '../../../../functions/routes.ts'
import { catalog } from '../../../../shared/errors/catalog.ts'
import type { Received } from '../wire.ts'

/** Words that only our own insides use. */
const insides =
  /\bat \S+ \(|node:internal|node_modules|\.ts:\d+|Exception\b|Cannot read propert|is not a function|DynamoDB/

const jsonOf = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const envelopeFault = ({ endpoint: { contract } }: Route, { status, text, headers }: Received): string | undefined => {
  const type = headers.get('Content-Type') ?? ''
  if (!type.startsWith('application/json')) {
    // A route without a schema answers with a page, also when it refuses.
    return contract.data === undefined && type !== '' ? undefined : `answers the content type "${type}"`
  }
  if (contract.data === undefined && status < 400) return undefined
  const body = jsonOf(text)
  if (body === undefined) return 'answers what is no JSON'
  if (body['success'] !== status < 400) return '"success" is missing or wrong'
  if (status < 400) return 'data' in body ? undefined : '"data" is missing'
  return typeof body['error'] === 'string' && body['error'] !== '' ? undefined : '"error" is no sentence'
}

/** What no page may contain, whatever a user typed. */
const isMarkup = /<script>alert|<img src=x/

/** Where a page sends people on: only to another of ours. */
const leadsAway = (location: string | null) => {
  const here = 'http://here.invalid'
  return location !== null && URL.parse(location, here)?.origin !== here
}

/** What is wrong with the answer of a page. */
export const faultInPage = ({ status, text, headers }: Received): string | undefined => {
  if (status >= 500) return 'fails'
  if (leadsAway(headers.get('Location'))) return `leads away to ${headers.get('Location')}`
  if (headers.has('X-Injected') || headers.has('X-A')) return 'lets headers in'
  if (isMarkup.test(text)) return 'shows what was typed as markup'
  if (insides.test(text)) return 'tells of its insides'
  const type = headers.get('Content-Type') ?? ''
  return status === 303 || type.startsWith('text/html') ? undefined : `answers the content type "${type}"`
}

/** What is wrong with an answer to any request at all; undefined where nothing is. */
export const faultIn = (route: Route, received: Received, mustRefuse: string | undefined): string | undefined => {
  const { status, text, headers } = received
  // A server that the caller named, and that cannot be reached, is no failure of ours.
  const mayBeAway = route.endpoint.contract.errors.some((code) => catalog[code].reason === 'unavailable')
  if (status >= 500 && !(status === 503 && mayBeAway)) return 'fails'
  if (status >= 400 && insides.test(text)) return 'tells of its insides'
  if (status < 400 && mustRefuse !== undefined) return `takes ${mustRefuse}`
  if (headers.has('X-Injected') || headers.has('X-A')) return 'lets headers in'
  return envelopeFault(route, received)
}
