import type * as billing from '../../../functions/api/billing/index.ts'
import type { ExamplesOf } from './example.ts'

export const billingExamples: ExamplesOf<typeof billing> = {
  get: {},
  checkout: { request: { planId: 'team' } },
  change: { request: { planId: 'team' } },
  cancel: {},
  resume: {},
  portal: {},
  stripeWebhook: {},
}
