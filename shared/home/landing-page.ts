import { links } from '../pages/field.ts'
import { html } from '../pages/html.ts'
import type { Page } from '../pages/layout.ts'
import { summaries } from '../platforms/registry/summaries.ts'

const platforms = new Intl.ListFormat('en').format(Object.values(summaries).map(({ fullName }) => fullName))

/** The page at the root, for people who do not know the service yet. */
export const landingPage: Page = {
  title: 'Schedule and publish posts to fifteen platforms',
  body: html`<p>One API for ${platforms}, with a signed webhook for every outcome.</p>
<p>Create an account, then a workspace. There you connect accounts and create a token for your program.</p>
${links({
  'Create an account': 'sign-up',
  'Sign in': 'login',
  'Read the API reference': 'api/docs',
  'Download the OpenAPI document': 'api/openapi.json',
  'Check whether the service works': 'api/health',
})}`,
}
