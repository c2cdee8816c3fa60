import { landingPage } from '../../../shared/home/landing-page.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'
import { Redirect } from '../../../shared/pages/send.ts'

export const handler = page(
  {
    method: 'GET',
    path: '/',
    summary: 'Show the landing page',
    visitor: 'known',
    needs: ['table:read', 'token-keys'],
  },
  ({ visitor }) => (visitor === undefined ? landingPage : new Redirect('/console')),
)
