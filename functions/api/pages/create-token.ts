import { actorOf } from '../../../shared/audit/actor.ts'
import { submitToken } from '../../../shared/home/create-token.ts'
import { TokenForm } from '../../../shared/home/input.ts'
import { workspaceAgain } from '../../../shared/home/workspace-page.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/workspace-token',
    summary: 'Create a token for a workspace (form)',
    visitor: 'required',
    // Decided: this form checks no password, so it has the limit of all other calls.
    limit: 'general',
    form: TokenForm,
    needs: ['table:read', 'table:write', 'token-keys', 'queue:drain'],
  },
  (visit) =>
    submitToken(visit.ctx, visit.form, visit.visitor.session.userId, actorOf({ ctx: visit.ctx, request: visit })),
  workspaceAgain,
)
