import { answerConsent, consentAgain } from '../../../shared/oauth/consent.ts'
import { ConsentForm } from '../../../shared/oauth/consent-form.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/authorize',
    summary: 'Allow or deny an assistant',
    visitor: 'required',
    form: ConsentForm,
    needs: ['table:read', 'table:write', 'token-keys', 'origins', 'queue:drain'],
  },
  (visit) => answerConsent(visit, visit.form),
  consentAgain,
)
