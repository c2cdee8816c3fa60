import { actorOf } from '../../../shared/audit/actor.ts'
import { BillingForm } from '../../../shared/billing/page/find.ts'
import { showBillingPage } from '../../../shared/billing/page/show.ts'
import { submitBilling } from '../../../shared/billing/page/submit.ts'
import { page } from '../../../shared/pages/page-endpoint.ts'

export const handler = page(
  {
    method: 'POST',
    path: '/billing',
    summary: 'Choose, change, cancel, or resume a plan (form)',
    visitor: 'required',
    // Decided: this form checks no password, so it has the limit of all other calls.
    limit: 'general',
    form: BillingForm,
    needs: ['table:read', 'table:write', 'token-keys', 'billing', 'stripe', 'ai-budget'],
  },
  (visit) => submitBilling(visit.ctx, visit.form, visit.visitor, actorOf({ ctx: visit.ctx, request: visit })),
  ({ ctx, sent, visitor }, refusal) =>
    showBillingPage(ctx, visitor, { query: { workspace: sent['workspace'] }, refusal }),
)
