import { mayHaveWritten } from '../db/writes-in-doubt.ts'
import { statusOf } from '../errors/reason.ts'
import { Refusal } from '../errors/refusal.ts'
import type { RequestContext, Step } from '../http/request-context.ts'
import { unfinishedBy } from '../http/unavailable.ts'
import { logRefusal } from '../security-log.ts'
import { links } from './field.ts'
import { html } from './html.ts'
import type { Page } from './layout.ts'
import { sendPage } from './send.ts'

/** The error page, if there is no form to show again. */
export const refusedPage = (sentence: string): Page => ({
  title: 'Something went wrong',
  body: html`<p class="alert" role="alert">${sentence}</p>${links({ 'Your workspaces': 'workspaces' })}`,
})

/** Sends a refusal as the given page. */
export const sendRefusal = (request: RequestContext, refusal: Refusal, page: Page) => {
  const { reason, details } = refusal
  logRefusal(request.ctx, refusal)
  const { retryAfterSeconds } = details
  if (retryAfterSeconds !== undefined) request.headers['Retry-After'] = String(retryAfterSeconds)
  return sendPage(request, statusOf[reason], { ...page, errorCode: details.code })
}

/** Sends a refusal as an error page. */
export const sendRefused = (request: RequestContext, refusal: Refusal) =>
  sendRefusal(request, refusal, refusedPage(refusal.message))

const unexpected = 'An error occurred on our side. Try again in a moment.'

/**
 * Outermost step of a page: renders refusals and temporary failures as pages, and any other error as a page without
 * details.
 */
export const refusals = (): Step => ({
  onError: ({ event: request, error }) => {
    if (error instanceof Refusal) return sendRefused(request, error)
    const passing = unfinishedBy(request, error, mayHaveWritten())
    request.ctx.log.error(passing ? 'request unfinished' : 'request failed', {
      requestId: request.requestId,
      route: `${request.contract.method} ${request.contract.path}`,
      reason: error?.stack ?? String(error),
    })
    if (passing) return sendRefused(request, passing)
    const page = refusedPage(`${unexpected} The request was ${request.requestId}.`)
    return sendPage(request, 500, { ...page, errorCode: 'internal_error' })
  },
})
