import * as z from 'zod/mini'
import { planIds } from '../../plans/plans.ts'

const slug = z.string().check(z.maxLength(100))

/** The slug of the workspace, and what has just happened. */
export const BillingQuery = z.object({
  workspace: z.optional(slug),
  checkout: z.optional(z.enum(['done', 'cancelled'])),
  done: z.optional(z.enum(['changed', 'cancelled', 'resumed'])),
})
export type BillingQuery = z.infer<typeof BillingQuery>

/** What a person does on the page. */
export const BillingForm = z.object({
  form_key: z.string(),
  workspace: slug,
  action: z.enum(['checkout', 'change', 'portal', 'cancel', 'resume']),
  planId: z.optional(z.enum(planIds)),
})
export type BillingForm = z.infer<typeof BillingForm>
