import type { Node } from 'constructs'
import * as z from 'zod/mini'
import { RateLimits } from '../../shared/limits/limits.ts'
import { QuotaLimits } from '../../shared/quotas/quotas.ts'

const Configuration = z.object({
  /** Where the API is reached, without a slash at the end: the custom domain, or the stage's address. */
  baseUrl: z.url().check(z.regex(/[^/]$/)),
  /** The sender of mails; its domain must be an identity of SES. */
  mailFrom: z.email(),
  /** Origins that webhooks may be sent to although the guard would refuse them, separated by commas. */
  allowedOrigins: z.optional(z.string()),
  /** A certificate for the host of `baseUrl`; with it the stack creates the custom domain. */
  certificateArn: z.optional(z.string()),
  /** Who is told of alarms. */
  alarmMail: z.optional(z.email()),
  /** Calls that one caller may make; what is not named is as specified, null lifts a limit. */
  rateLimits: z._default(RateLimits, {}),
  /** How much a workspace, a person or a recipient of mails may use; what is not named has its default (shared/quotas/quotas.ts). */
  quotas: z._default(QuotaLimits, {}),
  /** How memories are searched: by their words, by their meaning (which has a price per text), or by both. */
  memorySearch: z._default(z.enum(['lexical', 'vectors', 'hybrid']), 'lexical'),
  /** The model of Bedrock that places texts by their meaning, and in how many dimensions; used by meaning only. */
  embeddingModel: z._default(z.string().check(z.minLength(1)), 'amazon.titan-embed-text-v2:0'),
  embeddingDimensions: z._default(z.int().check(z.minimum(1), z.maximum(4096)), 1024),
  /** How long events, and the log of their deliveries, are kept. */
  webhookRetentionDays: z._default(z.int().check(z.minimum(1), z.maximum(90)), 30),
  /** Most invocations of a worker at once, per queue. */
  maximumConcurrency: z.record(z.string(), z.int().check(z.minimum(2), z.maximum(1000))),
})
export type Configuration = z.infer<typeof Configuration>

/** The settings of a deployment, from the context in cdk.json or `--context`. */
export const readConfiguration = (node: Node): Configuration => {
  const names = Object.keys(Configuration.shape)
  const given = names
    .map((name) => [name, node.tryGetContext(name)])
    .filter(([, value]) => value != null && value !== '')
  const parsed = z.safeParse(Configuration, Object.fromEntries(given))
  if (parsed.success) return parsed.data
  const wrong = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  throw new Error(`set the context of the deployment in cdk.json: ${wrong}`)
}
