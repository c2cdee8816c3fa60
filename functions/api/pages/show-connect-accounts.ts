import { page } from '../../../shared/pages/door.ts'
import { ChoiceLink } from '../../../shared/social-accounts/choice-form.ts'
import { showChoice } from '../../../shared/social-accounts/choose-accounts.ts'

export const handler = page(
  {
    method: 'GET',
    path: '/connect-accounts',
    summary: 'The accounts of a login to choose from, or what came of the choice',
    visitor: 'ignored',
    query: ChoiceLink,
    needs: ['table:read', 'open'],
  },
  ({ ctx, query: { ticket, missing } }) => showChoice(ctx, ticket, missing !== undefined),
)
