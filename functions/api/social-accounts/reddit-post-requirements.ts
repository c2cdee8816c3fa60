import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { described } from '../../../shared/http/described.ts'
import { RedditRequirements, readRedditRequirements, Subreddit } from '../../../shared/social-accounts/reddit-rules.ts'
import { OneOfPlatform, platformCallErrors } from '../../../shared/social-accounts/with-fresh-credentials.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/social-accounts/reddit/post-requirements',
    summary: 'Get the post requirements of a subreddit',
    description: 'The live rules of the subreddit; validating and scheduling check posts against all of them.',
    access: scope('workspace:read'),
    query: z.strictObject({
      subreddit: described(Subreddit, 'The name of the subreddit, without `r/`.'),
      socialAccountId: OneOfPlatform,
    }),
    status: 200,
    data: RedditRequirements,
    errors: [...platformCallErrors],
    needs: ['table:read', 'table:write', 'kms:decrypt', 'platform-secrets:reddit'],
  },
  ({ ctx, workspace, query }) => readRedditRequirements(ctx, workspace, query),
)
