import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { DiscordChannels, listDiscordChannels } from '../../../shared/social-accounts/discord-channels.ts'
import { OneOfPlatform, platformCallErrors } from '../../../shared/social-accounts/with-fresh-credentials.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/social-accounts/discord/channels',
    summary: 'List the channels of a connected Discord server',
    description: 'Text and announcement channels; `source` says whether the list is live or cached.',
    access: scope('workspace:read'),
    query: z.strictObject({ socialAccountId: OneOfPlatform }),
    status: 200,
    data: DiscordChannels,
    errors: [...platformCallErrors],
    needs: ['table:read', 'table:write', 'platform-secrets:discord'],
  },
  ({ ctx, workspace, query }) => listDiscordChannels(ctx, workspace, query.socialAccountId),
)
