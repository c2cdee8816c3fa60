import * as z from 'zod/mini'
import { html, nothing } from './html.ts'
import type { Page } from './layout.ts'

/** The content of an error code's page. */
export const ErrorPage = z.object({
  status: z.int(),
  meaning: z.string(),
  fix: z.string(),
  /** A response with the code. */
  example: z.looseObject({}),
  /** The operations that return the code; empty for a code that most of them return. */
  operations: z.array(z.string()),
})
export type ErrorPage = z.infer<typeof ErrorPage>

/** Turns the code spans of a sentence into markup. */
const sentence = (text: string) =>
  text.split('`').map((part, at) => (at % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))

/** The page that `docUrl` of an error points to; `docs` is the address of the reference. */
export const errorCodePage = (
  code: string,
  { status, meaning, fix, example, operations }: ErrorPage,
  docs: string,
): Page => ({
  title: code,
  body: html`<p class="soft">HTTP status ${status}</p>
<p>${sentence(meaning)}</p>
<h2>What to do</h2>
<p>${sentence(fix)}</p>
<h2>Example</h2>
<pre>${JSON.stringify(example, undefined, 2)}</pre>
${
  operations.length === 0
    ? nothing
    : html`<h2>Returned by</h2>
<ul>${operations.map((operation) => html`<li><code>${operation}</code></li>`)}</ul>
`
}<p class="soft">To get help, send the <code>requestId</code> of the response. It is also in the header <code>X-Request-Id</code>.</p>
<ul class="links"><li><a href="${docs}">API reference</a></li></ul>`,
})
