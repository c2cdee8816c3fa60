import * as z from 'zod/mini'
import { described } from '../http/described.ts'
import { planIds } from '../plans/plans.ts'

/** The requested plan. */
export const PlanRequest = z
  .strictObject({
    planId: described(z.enum(planIds), 'A plan that GET /api/billing lists.'),
  })
  .register(z.globalRegistry, {
    id: 'PlanRequest',
    description: 'The plan that you want.',
  })

/** A page of Stripe to open in a browser. */
export const StripePage = z
  .object({
    url: described(z.url(), 'The page of Stripe. Open it in the browser of the person who asked for it.'),
  })
  .register(z.globalRegistry, {
    id: 'StripePage',
    description: 'A page of Stripe.',
  })
