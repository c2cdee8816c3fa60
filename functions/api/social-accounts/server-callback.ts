import * as z from 'zod/mini'
import { described } from '../../../shared/http/described.ts'
import { serverPlatforms } from '../../../shared/platforms/definitions.ts'
import { callbackEndpoint } from '../../../shared/social-accounts/callback-endpoint.ts'

export const handler = callbackEndpoint(
  '/api/social-accounts/connect/{platform}/callback/{server}',
  z.strictObject({
    platform: described(z.enum(serverPlatforms), 'The platform of the server that sends the browser back.'),
    server: described(
      z.string().check(z.maxLength(300), z.regex(/^[\w[][\w.:[\]-]*$/, { error: 'must be the host of a server' })),
      'The host of the server where the login began. A login at another server is not accepted here (RFC 9700, 4.4).',
    ),
  }),
  {
    summary: 'OAuth callback of a server that a person named',
    description: 'Each server has its own redirect URI, so that one cannot pass on the code of another.',
    needs: ['kms:decrypt:server'],
  },
)
