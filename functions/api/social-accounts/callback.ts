import * as z from 'zod/mini'
import { described } from '../../../shared/http/described.ts'
import { browserPlatforms, serverPlatforms } from '../../../shared/platforms/definitions.ts'
import { callbackEndpoint } from '../../../shared/social-accounts/callback-endpoint.ts'

export const handler = callbackEndpoint(
  '/api/social-accounts/connect/{platform}/callback',
  z.strictObject({
    platform: described(
      z.enum(browserPlatforms.filter((id) => !serverPlatforms.includes(id))),
      'The platform that sends the browser back.',
    ),
  }),
  {
    summary: 'OAuth callback of a platform',
    description: 'For the platforms that are one server.',
    needs: ['platform-secrets'],
  },
)
