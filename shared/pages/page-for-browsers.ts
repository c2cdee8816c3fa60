import type { Context } from '../context.ts'
import type { Refusal } from '../errors/refusal.ts'
import { failure, type Refused } from '../http/envelope.ts'
import { header, type RequestContext } from '../http/request-context.ts'
import { html } from './html.ts'
import type { Page } from './layout.ts'
import { sendRefusal } from './refused.ts'

/** The condition of `notFoundTemplate` (infra/openapi/not-found.ts): HTML is wanted and JSON is not. */
const wantsPage = ({ event }: RequestContext): boolean => {
  const accept = header(event, 'Accept') ?? ''
  return accept.includes('text/html') && !accept.includes('application/json')
}

/**
 * For an endpoint that people open: a browser that is refused gets a page with a way on and the id of the request, a
 * program the envelope.
 */
export const pageForBrowsers =
  (pageOf: (ctx: Context, refusal: Refusal) => Page): Refused =>
  (request, refusal) => {
    if (!wantsPage(request)) return failure(request, refusal)
    const page = pageOf(request.ctx, refusal)
    const body = html`${page.body}\n<p class="soft">ID of the request: <code>${request.requestId}</code></p>`
    return sendRefusal(request, refusal, { ...page, body })
  }
