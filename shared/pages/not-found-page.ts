import { links } from './field.ts'
import { html } from './html.ts'
import type { Page } from './layout.ts'

/** The page at an address that no route has, however deep: its links are absolute. */
export const notFoundPage = (baseUrl: string): Page => ({
  title: 'Page not found',
  body: html`<p>No page has this address. Check its spelling, and remove a slash at its end.</p>
${links({
  'Go to the home page': `${baseUrl}/`,
  'Read the API reference': `${baseUrl}/api/docs`,
  'Read the guides': `${baseUrl}/api/docs/guides/quick-start`,
})}`,
})
