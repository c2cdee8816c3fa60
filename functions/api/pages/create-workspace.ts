import { actorOf } from '../../../shared/audit/actor.ts'
import { submitWorkspace } from '../../../shared/home/create-workspace.ts'
import { WorkspaceForm } from '../../../shared/home/input.ts'
import { workspacesPage } from '../../../shared/home/workspaces-page.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'
import { refusedPage } from '../../../shared/pages/refused.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/workspaces',
    summary: 'Create a workspace (form)',
    visitor: 'required',
    // Decided: this form checks no password, so it has the limit of all other calls.
    limit: 'general',
    form: WorkspaceForm,
    needs: ['table:read', 'table:write', 'token-keys', 'kms:encrypt', 'billing'],
  },
  (visit) =>
    submitWorkspace(visit.ctx, visit.form, visit.visitor.session.userId, actorOf({ ctx: visit.ctx, request: visit })),
  ({ ctx, sent, visitor }, refusal) =>
    visitor === undefined ? refusedPage(refusal.message) : workspacesPage(ctx, visitor, { sent, refusal }),
)
