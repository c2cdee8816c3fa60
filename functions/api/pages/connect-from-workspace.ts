import { actorOf } from '../../../shared/audit/actor.ts'
import { submitConnection } from '../../../shared/home/connect.ts'
import { ConnectForm } from '../../../shared/home/input.ts'
import { workspaceAgain } from '../../../shared/home/workspace-page.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/workspace-connect',
    summary: 'Connect an account to a workspace (form)',
    visitor: 'required',
    // Decided: this form checks no password of ours, so it has the limit of all other calls.
    limit: 'general',
    form: ConnectForm,
    needs: ['table:read', 'table:write', 'queue:events', 'token-keys', 'kms:decrypt', 'platform-secrets', 'origins'],
  },
  (visit) =>
    submitConnection(visit.ctx, visit.form, visit.visitor.session.userId, actorOf({ ctx: visit.ctx, request: visit })),
  workspaceAgain,
)
