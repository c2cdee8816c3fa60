import type { ErrorEntries } from '../reason.ts'

/** Plans and payments. */
export const billingErrors = {
  billing_not_configured: {
    reason: 'unavailable',
    message: 'This deployment has no billing provider. Its operator sets the plans.',
    meaning: 'The deployment takes no payments: every workspace has access, or the plan that the operator gave it.',
    fix: 'Ask the operator of the service.',
  },
  billing_unavailable: {
    reason: 'unavailable',
    message: 'Stripe did not respond. Read "GET /api/billing" before you repeat the request. Nothing is charged twice.',
    meaning: 'Stripe did not respond, or not clearly.',
    fix: 'Read `GET /api/billing`, then repeat the request.',
  },
  payment_failed: {
    reason: 'unpaid',
    message: 'The payment failed: Your card was declined. Nothing was changed. Update the payment method.',
    meaning: 'The payment for a larger plan failed. The plan did not change.',
    fix: 'Update the payment method in the page of POST /api/billing/portal, then repeat the request.',
  },
  plan_not_available: {
    reason: 'invalid',
    message: 'This plan is not sold here. Choose a plan that "GET /api/billing" lists.',
    meaning: 'The deployment does not sell the plan.',
    fix: 'Choose a plan of `plans` in GET /api/billing.',
  },
  plan_too_small: {
    reason: 'conflict',
    message: 'The plan "Starter" has 2 seats, and 3 are in use. Free some first.',
    meaning: 'More is in use than the smaller plan allows. `blockers` names what, with `quota`, `limit`, and `used`.',
    fix: 'Remove members, revoke invitations, or delete webhook endpoints first.',
  },
  already_subscribed: {
    reason: 'conflict',
    message: 'This workspace has a subscription. Change its plan with "POST /api/billing/change".',
    meaning: 'The workspace already has a subscription.',
    fix: 'Change its plan with POST /api/billing/change, or pay an open invoice in the page of POST /api/billing/portal.',
  },
  not_subscribed: {
    reason: 'conflict',
    message: 'This workspace has no subscription. Start one with "POST /api/billing/checkout".',
    meaning: 'The workspace has no subscription, or it has ended.',
    fix: 'Start one with POST /api/billing/checkout.',
  },
  payment_overdue: {
    reason: 'conflict',
    message: 'The last payment failed. Pay the open invoice first: "POST /api/billing/portal" opens it.',
    meaning: 'The plan cannot be changed while a payment is overdue.',
    fix: 'Pay the open invoice in the page of POST /api/billing/portal.',
  },
  subscription_cancelled: {
    reason: 'conflict',
    message: 'The subscription is canceled. Resume it first with "POST /api/billing/resume".',
    meaning: 'The subscription ends with its period, so its plan cannot change.',
    fix: 'Resume it with POST /api/billing/resume.',
  },
  invalid_signature: {
    reason: 'invalid',
    message: 'The signature of this event is missing, wrong, or too old. Check the signing secret.',
    meaning: 'The event lacks a Stripe signature from the last five minutes with the secret of the deployment.',
    fix: 'Store the signing secret of the webhook endpoint at Stripe as the operator guide says.',
  },
} as const satisfies ErrorEntries
