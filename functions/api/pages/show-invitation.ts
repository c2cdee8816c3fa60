import { InviteInput, invitePage } from '../../../shared/pages/invite-page.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'
import { previewInvitation } from '../../../shared/workspaces/preview-invitation.ts'

export const handler = page(
  {
    method: 'GET',
    path: '/invite',
    summary: 'Show an invitation',
    visitor: 'known',
    query: InviteInput,
    needs: ['table:read', 'token-keys'],
  },
  async ({ ctx, query, visitor }) => invitePage(await previewInvitation(ctx, query.token), query.token, visitor),
)
