import type * as z from 'zod/mini'
import { definitionFor, tierFor } from '../../platforms/definitions.ts'
import { textLengths } from '../../platforms/rules/check-post.ts'
import type { Plan } from './plan.ts'
import type { ValidatePostResult } from './validate.ts'

export const toValidationResult = (plan: Plan): z.infer<typeof ValidatePostResult> => ({
  valid: plan.issues.length === 0,
  issues: plan.issues,
  warnings: plan.warnings,
  lengths: plan.posts.flatMap(({ account, content, metadata }) => {
    const { id: socialAccountId, platform } = account
    const lengths = textLengths(definitionFor(account), tierFor(account), { content, metadata })
    return lengths.map((length) => ({ socialAccountId, platform, ...length }))
  }),
})
