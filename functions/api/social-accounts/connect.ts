import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { described } from '../../../shared/http/described.ts'
import { oneOf } from '../../../shared/http/sentence.ts'
import {
  browserPlatforms,
  definitionOf,
  isBrowserPlatform,
  serverPlatforms,
} from '../../../shared/platforms/definitions.ts'
import { type PlatformId, platformIds } from '../../../shared/resources.ts'
import { createConnectLink } from '../../../shared/social-accounts/authorization-link.ts'
import { ConnectLinkView, linkIntentOf } from '../../../shared/social-accounts/connect-request.ts'
import { ConnectAccount, serverNamed } from '../../../shared/social-accounts/named-server.ts'
import { platformRefusalCodes } from '../../../shared/social-accounts/platform-refusal.ts'

const connectablePlatforms = platformIds.toSorted()
const formPlatforms = platformIds.filter((id) => !isBrowserPlatform(id))

const namesOf = (ids: readonly PlatformId[]) => new Intl.ListFormat('en').format(ids.map((id) => definitionOf(id).name))

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/social-accounts/connect/{platform}',
    summary: 'Create a link to connect an account',
    description: `Returns the URL of a page that names the workspace, the platform, and the member who made the link, unless the person came from your app. The owner of the account opens it in a browser; its button leads to the platform. The link works for ten minutes, or for \`expiresInSeconds\`, in one browser at a time. Reconnecting an account keeps its id, its posts, and its history. With \`redirectUrl\`, the person returns to your app with the outcome as query parameters. For ${namesOf(serverPlatforms)}, name the \`server\`, or let the page ask for it. ${namesOf(formPlatforms)} have their own operations.`,
    access: scope('accounts:write'),
    params: z.strictObject({
      platform: described(
        // Operations of platforms with a form are below this path, so that the list of possible values includes them.
        z.enum(browserPlatforms, { error: ({ input }) => oneOf(input, connectablePlatforms) }),
        'The platform of the account.',
      ),
    }),
    body: ConnectAccount,
    bodyOptional: true,
    status: 200,
    data: ConnectLinkView,
    errors: [...platformRefusalCodes, 'redirect_url_not_allowed', 'url_not_allowed'],
    needs: ['table:write', 'platform-secrets', 'kms:encrypt:server', 'kms:decrypt:server', 'origins'],
  },
  async ({ ctx, workspace, principal, params: { platform }, body: { server, ...body } = {} }) => {
    const intent = linkIntentOf(ctx, workspace, principal, body)
    return createConnectLink(ctx, { ...intent, platform, server: serverNamed(ctx, platform, server) })
  },
)
