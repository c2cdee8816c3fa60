import { page } from '../../../shared/pages/page-endpoint.ts'
import { ChoiceForm, chosenPlaces } from '../../../shared/social-accounts/choice-form.ts'
import { submitConnectPage } from '../../../shared/social-accounts/submit-connect-page.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/connect-accounts',
    summary: 'Go on to a platform to connect an account, or connect those chosen from a login',
    visitor: 'ignored',
    // Decided: it proves no password, so a person may connect more accounts in a quarter of an hour than try passwords.
    limit: 'general',
    form: ChoiceForm,
    needs: ['table:read', 'table:write', 'kms:decrypt', 'platform-secrets'],
  },
  ({ ctx, form, browser }) => submitConnectPage(ctx, form.ticket, chosenPlaces(form), browser),
)
