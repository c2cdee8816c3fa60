import * as z from 'zod/mini'
import { eitherScope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { described } from '../../../shared/http/described.ts'
import { ExternalIdFilter } from '../../../shared/social-accounts/external-id-filter.ts'
import { listAccounts } from '../../../shared/social-accounts/find.ts'
import { SocialAccountView, viewAccount } from '../../../shared/social-accounts/social-account.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/social-accounts',
    summary: 'List the connected accounts of a workspace',
    description:
      'Lists the accounts that the workspace can publish to, and those that must be connected again. Send their IDs as `socialAccountIds` of a post.',
    access: eitherScope('workspace:read', 'accounts:read'),
    query: z.strictObject({
      externalId: z.optional(described(ExternalIdFilter, 'Only accounts that were connected with this id of yours.')),
    }),
    status: 200,
    data: z.array(SocialAccountView),
    errors: [],
    needs: ['table:read'],
  },
  async ({ ctx, workspace, query: { externalId } }) => {
    const accounts = await listAccounts(ctx, workspace.id)
    return accounts
      .map((account) => viewAccount(account, ctx.env('MEDIA_URL')))
      .filter((account) => externalId === undefined || account.externalId === externalId)
  },
)
