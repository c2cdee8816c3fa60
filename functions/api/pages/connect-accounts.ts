import { page } from '../../../shared/pages/door.ts'
import { ChoiceForm, chosenPlaces } from '../../../shared/social-accounts/choice-form.ts'
import { connectChosen } from '../../../shared/social-accounts/choose-accounts.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/connect-accounts',
    summary: 'Connect the accounts chosen from those of a login',
    visitor: 'ignored',
    form: ChoiceForm,
    needs: ['table:read', 'table:write', 'open'],
  },
  ({ ctx, form }) => connectChosen(ctx, form.ticket, chosenPlaces(form)),
)
