import { page } from '../../../shared/pages/door.ts'
import { ChoiceLink } from '../../../shared/social-accounts/choice-form.ts'
import { showTicket } from '../../../shared/social-accounts/show-ticket.ts'

export const handler = page(
  {
    method: 'GET',
    path: '/connect-accounts',
    summary: 'Whether to connect an account, the accounts of a login to choose from, or what came of it',
    visitor: 'known',
    query: ChoiceLink,
    needs: ['table:read', 'open', 'token-keys'],
  },
  ({ ctx, query: { ticket, missing }, visitor }) => showTicket(ctx, ticket, missing !== undefined, visitor),
)
