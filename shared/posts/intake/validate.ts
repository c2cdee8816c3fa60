import * as z from 'zod/mini'
import { issueCodes } from '../../errors/issue.ts'
import type { Plan } from './plan.ts'

const described = (description: string) => ({ description })

/** A finding of validation. */
export const ValidationIssue = z
  .object({
    socialAccountId: z.nullable(z.string()),
    platform: z
      .string()
      .register(z.globalRegistry, described('The platform of the account; `unknown` if there is no such account.')),
    code: z.enum(issueCodes),
    field: z.optional(z.string()).register(z.globalRegistry, described('The field of the request that is at fault.')),
    message: z.string(),
    next: z.optional(z.string()).register(z.globalRegistry, described('How to fix it, in one sentence.')),
  })
  .register(z.globalRegistry, {
    id: 'ValidationIssue',
    examples: [
      {
        socialAccountId: 'acc_3ujT0dY1wqz5N8rXbC2LmKpQe',
        platform: 'x',
        code: 'content_length',
        field: 'content',
        message: 'X: 281/280 characters',
        next: 'Shorten the text by 1 character.',
      },
    ],
  })

export const ValidatePostResult = z
  .object({ valid: z.boolean(), issues: z.array(ValidationIssue) })
  .register(z.globalRegistry, { id: 'ValidatePostResult' })

export const toValidationResult = (plan: Plan): z.infer<typeof ValidatePostResult> => ({
  valid: plan.issues.length === 0,
  issues: plan.issues,
})
