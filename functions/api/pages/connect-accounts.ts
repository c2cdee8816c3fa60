import { page } from '../../../shared/pages/door.ts'
import { ChoiceForm, chosenPlaces } from '../../../shared/social-accounts/choice-form.ts'
import { pressConnect } from '../../../shared/social-accounts/choose-accounts.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/connect-accounts',
    summary: 'Go on to a platform to connect an account, or connect those chosen from a login',
    visitor: 'ignored',
    // Decided: it proves no password, so a person may connect more accounts in a quarter of an hour than try passwords.
    limit: 'general',
    form: ChoiceForm,
    needs: ['table:read', 'table:write', 'open', 'platform-secrets'],
  },
  ({ ctx, form, browser }) => pressConnect(ctx, form.ticket, chosenPlaces(form), browser),
)
