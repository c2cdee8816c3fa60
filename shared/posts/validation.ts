import * as z from 'zod/mini'
import type { Plan } from './resolve.ts'

/** A finding of validation (spec, Validation result). */
export const ValidationIssue = z
  .object({
    socialAccountId: z.nullable(z.string()),
    platform: z.string(),
    code: z.string(),
    message: z.string(),
    next: z.optional(z.string()),
  })
  .register(z.globalRegistry, { id: 'ValidationIssue' })

export const ValidatePostResult = z
  .object({ valid: z.boolean(), issues: z.array(ValidationIssue) })
  .register(z.globalRegistry, { id: 'ValidatePostResult' })

export const judge = (plan: Plan): z.infer<typeof ValidatePostResult> => ({
  valid: plan.issues.length === 0,
  issues: plan.issues,
})
