import { layout } from '../../shared/pages/layout.ts'
import { notFoundPage } from '../../shared/pages/not-found-page.ts'
import { pageHeaders } from '../../shared/pages/send.ts'
import { errorText, gatewayRequestId, ownHeaders, unknownRoute } from './gateway-answers.ts'

/** The headers of the page that the envelope does not have. */
const ofPage: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ 'Content-Type': 'text/html; charset=utf-8', ...pageHeaders() }).filter(
    ([name]) => !(name in ownHeaders),
  ),
)

/** What an unknown path answers to clients that do not ask for HTML. */
export const notFoundEnvelope = (baseUrl: string): string => errorText(baseUrl, unknownRoute, gatewayRequestId)

/**
 * What an unknown path answers to a GET: a page where HTML is wanted and JSON is not, otherwise the envelope. An integration has one
 * response per status, so its template chooses, and overrides the headers of the envelope (API Gateway guide, "override your API's
 * request and response parameters", read 2026-11-23). `params` finds a header only under the name as it was sent; HTTP/2 sends lower
 * case.
 */
export const notFoundTemplate = (baseUrl: string): string =>
  [
    `#set($accept = "$!input.params('Accept') $!input.params('accept')")`,
    `#if($accept.contains('text/html') && !$accept.contains('application/json'))`,
    ...Object.entries(ofPage).map(([name, value]) => `#set($context.responseOverride.header.${name} = "${value}")`),
    layout(notFoundPage(baseUrl)).trimEnd(),
    '#else',
    notFoundEnvelope(baseUrl),
    '#end',
  ].join('\n')
