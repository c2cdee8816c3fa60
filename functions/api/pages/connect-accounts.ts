import { page } from '../../../shared/pages/page-endpoint.ts'
import { ChoiceForm, chosenPlaces } from '../../../shared/social-accounts/choice-form.ts'
import { submitConnectPage } from '../../../shared/social-accounts/submit-connect-page.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/connect-accounts',
    summary: 'Continue to a platform to connect an account, or connect the accounts chosen after a login',
    visitor: 'ignored',
    // Decided: this form checks no password, so a person can connect more accounts in 15 minutes than they can try
    // passwords.
    limit: 'general',
    form: ChoiceForm,
    needs: ['table:read', 'table:write', 'kms:decrypt', 'platform-secrets'],
  },
  ({ ctx, form, browser }) => submitConnectPage(ctx, form.ticket, chosenPlaces(form), browser),
)
