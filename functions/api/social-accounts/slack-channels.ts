import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { described } from '../../../shared/http/described.ts'
import { Id } from '../../../shared/http/id.ts'
import { listSlackChannels, SlackChannels } from '../../../shared/social-accounts/slack-channels.ts'
import { platformCallErrors } from '../../../shared/social-accounts/with-fresh-credentials.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/social-accounts/slack/channels',
    summary: 'List the channels of a connected Slack workspace',
    description:
      'Public channels, and the private channels that the app is a member of; `source` says whether the list is live or cached.',
    access: scope('workspace:read'),
    query: z.strictObject({
      socialAccountId: described(
        z.optional(Id),
        'The ID of the account, `acc_…`. By default the one of this platform that was connected first.',
      ),
    }),
    status: 200,
    data: SlackChannels,
    errors: [...platformCallErrors],
    needs: ['table:read', 'table:write', 'kms:decrypt', 'platform-secrets'],
  },
  ({ ctx, workspace, query }) => listSlackChannels(ctx, workspace, query.socialAccountId),
)
