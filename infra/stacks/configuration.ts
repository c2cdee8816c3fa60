import type { Node } from 'constructs'
import * as z from 'zod/mini'
import { RateLimits } from '../../shared/limits/limits.ts'

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
