import { actorOf } from '../../../shared/audit/actor.ts'
import { submitAssistants } from '../../../shared/home/change-assistants.ts'
import { AssistantsForm } from '../../../shared/home/input.ts'
import { workspaceAgain } from '../../../shared/home/workspace-page.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/workspace-assistants',
    summary: 'Disconnect an assistant, or switch assistants on or off (form)',
    visitor: 'required',
    // Decided: this form checks no password, so it has the limit of all other calls.
    limit: 'general',
    form: AssistantsForm,
    needs: ['table:read', 'table:write', 'token-keys'],
  },
  (visit) =>
    submitAssistants(visit.ctx, visit.form, visit.visitor.session.userId, actorOf({ ctx: visit.ctx, request: visit })),
  workspaceAgain,
)
