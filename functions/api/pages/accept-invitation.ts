import { actorOf } from '../../../shared/audit/actor.ts'
import { InviteInput } from '../../../shared/pages/invite-page.ts'
import { withQuery } from '../../../shared/pages/own-page.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'
import { Redirect } from '../../../shared/pages/send.ts'
import { acceptInvitation } from '../../../shared/workspaces/accept-invitation.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/invite',
    summary: 'Accept an invitation (form)',
    visitor: 'required',
    form: InviteInput,
    needs: ['table:read', 'table:write', 'token-keys'],
  },
  async (visit) => {
    const { ctx, form, visitor } = visit
    const { token } = form
    const { userId, email } = visitor.session
    await acceptInvitation(ctx, { token, userId, email }, actorOf({ ctx, request: visit }))
    return new Redirect(withQuery('/invite', { token }))
  },
)
