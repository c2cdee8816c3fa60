import type { Context } from '../context.ts'
import type { Refusal } from '../errors/refusal.ts'
import { failure, type RefusalResponder } from '../http/envelope.ts'
import { header, type RequestContext } from '../http/request-context.ts'
import { html } from './html.ts'
import type { Page } from './layout.ts'
import { sendRefusal } from './refused.ts'

/** The condition of `notFoundTemplate` (infra/openapi/gateway.ts): HTML is accepted and JSON is not. */
const wantsPage = ({ event }: RequestContext): boolean => {
  const accept = header(event, 'Accept') ?? ''
  return accept.includes('text/html') && !accept.includes('application/json')
}

/**
 * For an endpoint that people open in a browser: a refused request returns a page with links and the request ID. A
 * program gets the error envelope.
 */
export const pageForBrowsers =
  (pageOf: (ctx: Context, refusal: Refusal) => Page): RefusalResponder =>
  (request, refusal) => {
    if (!wantsPage(request)) return failure(request, refusal)
    const page = pageOf(request.ctx, refusal)
    const body = html`${page.body}\n<p class="soft">Request ID: <code>${request.requestId}</code></p>`
    return sendRefusal(request, refusal, { ...page, body })
  }
