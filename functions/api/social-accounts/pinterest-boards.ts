import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { listPinterestBoards, PinterestBoards } from '../../../shared/social-accounts/pinterest-boards.ts'
import { OneOfPlatform, platformCallErrors } from '../../../shared/social-accounts/with-fresh-credentials.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/social-accounts/pinterest/boards',
    summary: 'List the boards of a connected Pinterest account',
    description:
      'The list is cached for five minutes, and longer while Pinterest is unavailable. `url` is present where it follows from the name.',
    access: scope('workspace:read'),
    query: z.strictObject({ socialAccountId: OneOfPlatform }),
    status: 200,
    data: PinterestBoards,
    errors: [...platformCallErrors],
    needs: ['table:read', 'table:write', 'kms:decrypt', 'platform-secrets:pinterest'],
  },
  ({ ctx, workspace, query }) => listPinterestBoards(ctx, workspace, query.socialAccountId),
)
