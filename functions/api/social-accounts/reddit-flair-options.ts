import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { described } from '../../../shared/http/described.ts'
import { listRedditFlairs, RedditFlairs, Subreddit } from '../../../shared/social-accounts/reddit-rules.ts'
import { OneOfPlatform, platformCallErrors } from '../../../shared/social-accounts/with-fresh-credentials.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/social-accounts/reddit/flair-options',
    summary: 'List the flairs of a subreddit',
    description: 'The flairs that the account can choose; empty where the subreddit has none.',
    access: scope('workspace:read'),
    query: z.strictObject({
      subreddit: described(Subreddit, 'The name of the subreddit, without `r/`.'),
      socialAccountId: OneOfPlatform,
    }),
    status: 200,
    data: RedditFlairs,
    errors: [...platformCallErrors],
    needs: ['table:read', 'table:write', 'kms:decrypt', 'platform-secrets:reddit'],
  },
  ({ ctx, workspace, query }) => listRedditFlairs(ctx, workspace, query),
)
