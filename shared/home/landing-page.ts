import { links } from '../pages/field.ts'
import { type Html, html } from '../pages/html.ts'
import type { Page } from '../pages/layout.ts'
import { summaries } from '../platforms/registry/summaries.ts'

const platforms = new Intl.ListFormat('en').format(Object.values(summaries).map(({ fullName }) => fullName))

const door = (title: string, to: string, text: string): Html =>
  html`<section class="plan"><h2><a href="${to}">${title}</a></h2><p>${text}</p></section>`

/** The page at the root, for people who do not know the service yet. */
export const landingPage: Page = {
  title: 'Schedule and publish posts to fifteen platforms',
  body: html`<p>Write a post once, and it is published on time to ${platforms}.</p>
${door('Post from code', 'api/docs/guides/quick-start', 'One API, with a signed webhook for every outcome.')}
${door('Plan by hand', 'console', 'A calendar and a composer for you and your team.')}
${door('Deploy on AWS', 'api/docs/guides/deploy', 'Run the service in your own account.')}
${links({ 'Create an account': 'sign-up', 'Sign in': 'login', 'Read the API reference': 'api/docs' })}
<p class="soft"><a href="api/health">Status</a> · <a href="api/openapi.json">OpenAPI document</a></p>`,
}
