import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { listAccounts } from '../../../shared/social-accounts/find.ts'
import { SocialAccountView, viewAccount } from '../../../shared/social-accounts/social-account.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/social-accounts',
    summary: 'List the connected accounts of a workspace',
    access: scope('workspace:read'),
    status: 200,
    data: z.array(SocialAccountView),
    errors: [],
    needs: ['table:read'],
  },
  async ({ ctx, workspace }) => (await listAccounts(ctx, workspace.id)).map(viewAccount),
)
