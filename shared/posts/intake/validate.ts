import * as z from 'zod/mini'
import { issueCodes } from '../../errors/issue.ts'
import { described } from '../../http/described.ts'
import { Warning } from '../warning.ts'

/** A finding of validation. */
export const ValidationIssue = z
  .object({
    socialAccountId: described(
      z.nullable(z.string()),
      'The ID of the account with the issue; null if it concerns the request.',
    ),
    platform: described(z.string(), 'The platform of the account; `unknown` if there is no such account.'),
    code: described(z.enum(issueCodes), 'What is wrong, for programs.'),
    field: described(z.optional(z.string()), 'The field of the request that is at fault.'),
    message: described(z.string(), 'What is wrong, for people.'),
    next: described(z.optional(z.string()), 'How to fix it, in one sentence.'),
  })
  .register(z.globalRegistry, {
    id: 'ValidationIssue',
    description: 'One reason why a post is not accepted.',
    examples: [
      {
        socialAccountId: 'acc_3ujT0dY1wqz5N8rXbC2LmKpQe',
        platform: 'x',
        code: 'content_length',
        field: 'content',
        message: 'X: 281/280 characters.',
        next: 'Shorten the text by 1 character.',
      },
    ],
  })

const TextLength = z
  .object({
    socialAccountId: described(z.string(), 'The ID of the account, `acc_…`.'),
    platform: described(z.string(), 'The platform of the account.'),
    used: described(z.int(), 'The length of the text, as the platform counts it.'),
    max: described(z.int(), 'The most that the account can publish.'),
    unit: described(z.enum(['characters', 'bytes']), 'What is counted.'),
  })
  .register(z.globalRegistry, {
    id: 'TextLength',
    description: 'The length of a text against a limit of its platform.',
  })

export const ValidatePostResult = z
  .object({
    valid: described(z.boolean(), 'Whether the service accepts the post.'),
    issues: described(z.array(ValidationIssue), 'Every reason why it is not. Empty if `valid` is true.'),
    warnings: described(z.array(Warning), 'What you may not have meant. Warnings do not change `valid`.'),
    lengths: described(
      z.array(TextLength),
      'The length of the text for each account, for a counter. A platform with two limits has two entries.',
    ),
  })
  .register(z.globalRegistry, { id: 'ValidatePostResult', description: 'The result of a check.' })
