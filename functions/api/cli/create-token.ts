import { session } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorOf } from '../../../shared/audit/actor.ts'
import { leakedTokenPattern } from '../../../shared/identity/token.ts'
import { assertTokenQuota } from '../../../shared/identity/token-quota.ts'
import { assertMembership } from '../../../shared/workspaces/assert-membership.ts'
import { CreateAccessToken, createAccessToken, NewAccessToken } from '../../../shared/workspaces/create-access-token.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/cli/tokens',
    summary: 'Create a personal access token',
    description: `The token is bound to one workspace and shown once. Without scopes, it can read the workspace and its posts. It expires after a year, or after \`expiresInDays\`; null means never. Its owner gets an email when it is created, and 30 and 7 days before it expires. Secret scanners find leaked tokens by this pattern: \`${leakedTokenPattern}\``,
    access: session,
    body: CreateAccessToken,
    status: 201,
    data: NewAccessToken,
    errors: ['not_a_member', 'membership_suspended', 'quota_exceeded', 'concurrent_update'],
    needs: ['table:read', 'table:write', 'token-keys', 'queue:drain'],
    secret: true,
  },
  async (call) => {
    const { ctx, principal, body } = call
    await assertTokenQuota(ctx, principal.userId)
    await assertMembership(ctx, principal.userId, body.workspaceId)
    return createAccessToken(ctx, principal.userId, body, actorOf(call))
  },
)
