import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { listSlackChannels, SlackChannels } from '../../../shared/social-accounts/slack-channels.ts'
import { OneOfPlatform, platformCallErrors } from '../../../shared/social-accounts/with-fresh-credentials.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/social-accounts/slack/channels',
    summary: 'List the channels of a connected Slack workspace',
    description:
      'Public channels, and the private channels that the app is a member of; `source` says whether the list is live or cached.',
    access: scope('workspace:read'),
    query: z.strictObject({ socialAccountId: OneOfPlatform }),
    status: 200,
    data: SlackChannels,
    errors: [...platformCallErrors],
    needs: ['table:read', 'table:write', 'kms:decrypt', 'platform-secrets:slack'],
  },
  ({ ctx, workspace, query }) => listSlackChannels(ctx, workspace, query.socialAccountId),
)
