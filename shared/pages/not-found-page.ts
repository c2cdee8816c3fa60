import type { Context } from '../context.ts'
import type { Refusal } from '../errors/refusal.ts'
import { alert, links } from './field.ts'
import { html } from './html.ts'
import type { Page } from './layout.ts'

/** Links for a page at any address, however deep: they are absolute. */
const siteLinks = (baseUrl: string) =>
  links({
    'Go to the home page': `${baseUrl}/`,
    'Read the API reference': `${baseUrl}/api/docs`,
    'Read the guides': `${baseUrl}/api/docs/guides/quick-start`,
  })

/** The page at an address that no route has. */
export const notFoundPage = (baseUrl: string): Page => ({
  title: 'Page not found',
  errorCode: 'route_not_found',
  body: html`<p>There’s nothing at this address. Check it for typos.</p>
${siteLinks(baseUrl)}`,
})

/** The page for a refused request for a guide or an error code. One that does not exist is a page that is not found. */
export const noDocumentPage = (ctx: Context, refusal: Refusal): Page =>
  refusal.reason === 'missing'
    ? notFoundPage(ctx.env('BASE_URL'))
    : { title: 'Something went wrong', body: html`${alert(refusal)}${siteLinks(ctx.env('BASE_URL'))}` }
