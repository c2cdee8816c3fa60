import * as z from 'zod/mini'
import { described } from '../http/described.ts'
import { Id } from '../http/id.ts'
import { accountIds } from '../posts/intake/requests.ts'
import { ValidationIssue } from '../posts/intake/validate.ts'
import { platformIds } from '../resources.ts'
import { singleLine } from '../text/single-line.ts'
import { wellFormed } from '../text/well-formed.ts'

const written = (maxLength: number) =>
  z.string().check(
    z.refine((text) => /\S/.test(text), { error: 'must not be blank' }),
    z.maxLength(maxLength),
    wellFormed,
  )

/** Decided: the most variants of one request, one of each platform; each is a call of the model. */
export const maxVariants = platformIds.length

const tone = described(
  z.optional(written(200).check(singleLine)),
  'How the text should sound, in words: "warm and short".',
)
const language = described(
  z.optional(written(50).check(singleLine)),
  'The language of the text, by its name or its BCP 47 tag: "German", "pt-BR".',
)

const platforms = z.array(z.enum(platformIds)).check(z.maxLength(platformIds.length))

export const GenerateRequest = z
  .strictObject({
    prompt: described(written(4000), 'What the posts are about.'),
    platforms: described(z.optional(platforms), 'The platforms to write for. Send these, `socialAccountIds`, or both.'),
    socialAccountIds: described(
      z.optional(accountIds),
      'The accounts to write for. An account can have a higher limit than its platform.',
    ),
    collectionIds: described(
      z.optional(z.array(Id).check(z.maxLength(10))),
      'Memory collections. The memories that match the prompt best are used.',
    ),
    tone,
    language,
    count: described(
      z.optional(z.int().check(z.minimum(1), z.maximum(3))),
      `Variants of each platform or account; at most ${maxVariants} in all.`,
      { default: 1 },
    ),
  })
  .register(z.globalRegistry, {
    id: 'GenerateTextRequest',
    description: 'What texts to write, and for whom.',
  })
export type GenerateRequest = z.infer<typeof GenerateRequest>

export const instructions = ['shorter', 'longer', 'tone', 'translate', 'adapt'] as const

export const RewriteRequest = z
  .strictObject({
    content: described(written(20_000), 'The text to rewrite.'),
    instruction: described(
      z.enum(instructions),
      'What to do. `tone` requires `tone`, `translate` requires `language`, `adapt` requires `platform`.',
    ),
    tone,
    language,
    platform: described(z.optional(z.enum(platformIds)), 'With a platform, the text is within all of its limits.'),
  })
  .register(z.globalRegistry, {
    id: 'RewriteTextRequest',
    description: 'A text, and what to do with it.',
  })
export type RewriteRequest = z.infer<typeof RewriteRequest>

/** The usage and cost of a call. */
const CallUsage = z
  .object({
    inputTokens: described(z.int(), 'Tokens that the model read.'),
    outputTokens: described(z.int(), 'Tokens that the model wrote.'),
    costMicroUsd: described(z.int(), 'Charged to the budget, in millionths of a US dollar.'),
  })
  .register(z.globalRegistry, { id: 'AiCallUsage', description: 'What a call used and cost.' })

export const Variant = z
  .object({
    platform: described(z.enum(platformIds), 'The platform that the text is for.'),
    socialAccountId: described(
      z.nullable(z.string()),
      'The account that the text is for; null if it is for the platform.',
    ),
    content: described(z.string(), 'The text. It is within all limits of the platform.'),
    metadata: described(
      z.optional(z.record(z.string(), z.record(z.string(), z.unknown()))),
      'A title, for platforms that have one: a part of `metadata` of a post.',
    ),
    issues: described(
      z.array(ValidationIssue),
      'What POST /api/posts/validate would report of the text without media; never a limit of the text.',
    ),
  })
  .register(z.globalRegistry, { id: 'TextVariant', description: 'A text for one platform or account.' })

export const Generated = z
  .object({
    variants: described(z.array(Variant), 'The texts, by platform or account in the order of the request.'),
    usage: CallUsage,
  })
  .register(z.globalRegistry, {
    id: 'GeneratedText',
    description: 'Texts that were written.',
  })

export const Rewritten = z
  .object({
    content: described(z.string(), 'The new text.'),
    issues: described(z.array(ValidationIssue), 'The issues on the platform; empty without a platform.'),
    usage: CallUsage,
  })
  .register(z.globalRegistry, {
    id: 'RewrittenText',
    description: 'A text that was rewritten.',
  })
