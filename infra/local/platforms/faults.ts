import * as z from 'zod/mini'
import { hourMs } from '../../../shared/time.ts'

/** How a call can fail. */
export const faultKinds = [
  'status',
  'hang',
  'reset_before',
  'reset_after',
  'landed_then_reset',
  'wrong_json',
  'truncated_json',
  'html_503',
  'rate_limited',
  'token_revoked',
  'blocked',
  'slow',
] as const

/** How the next calls of a platform should fail. */
export const FaultScript = z.strictObject({
  platform: z.string(),
  /** The route's operation; `*` or nothing means any. */
  operation: z._default(z.string(), '*'),
  times: z.int().check(z.positive()),
  fault: z.enum(faultKinds),
  /** True performs the effect first and then breaks the response; broken JSON and `landed_then_reset` always do. */
  landed: z.optional(z.boolean()),
  status: z.optional(z.int().check(z.minimum(200), z.maximum(599))),
  body: z.optional(z.unknown()),
  retryAfterSeconds: z.optional(z.number().check(z.nonnegative())),
  delayMs: z.optional(z.number().check(z.nonnegative(), z.maximum(hourMs))),
})
export type FaultScript = z.infer<typeof FaultScript>
export type FaultInput = z.input<typeof FaultScript>

export interface Faults {
  /** Throws a sentence if a script is invalid, and then adds none of them. */
  add(scripts: FaultInput | readonly FaultInput[]): void
  pending(): readonly FaultScript[]
  clear(): void
  /** The fault for this call, spent by asking. */
  take(platform: string, operation: string): FaultScript | undefined
}

export function openFaults(operationsOf: Readonly<Record<string, ReadonlySet<string>>>): Faults {
  let queue: FaultScript[] = []
  return {
    add: (scripts) => void queue.push(...[scripts].flat().map((script) => parse(script, operationsOf))),
    pending: () => queue,
    clear() {
      queue = []
    },
    take(platform, operation) {
      const script = queue.find((queued) => queued.platform === platform && ['*', operation].includes(queued.operation))
      if (script === undefined) return undefined
      const left = { ...script, times: script.times - 1 }
      queue = queue.flatMap((queued) => (queued !== script ? [queued] : left.times > 0 ? [left] : []))
      return script
    },
  }
}

function parse(input: unknown, operationsOf: Readonly<Record<string, ReadonlySet<string>>>): FaultScript {
  const parsed = FaultScript.safeParse(input, { error: z.locales.en().localeError })
  if (!parsed.success) throw new Error(`This is not a fault script: ${sentence(parsed.error.issues)}`)
  const { platform, operation } = parsed.data
  const operations = Object.hasOwn(operationsOf, platform) ? operationsOf[platform] : undefined
  if (operations === undefined) {
    throw new Error(`There is no stand-in "${platform}"; there are: ${Object.keys(operationsOf).join(', ')}`)
  }
  if (operation !== '*' && !operations.has(operation)) {
    throw new Error(`${platform} has no operation "${operation}"; it has: ${[...operations].join(', ')} and *`)
  }
  return parsed.data
}

function sentence(issues: readonly z.core.$ZodIssue[]): string {
  return issues.map((issue) => `${issue.path.join('.') || 'the whole'}: ${issue.message}`).join('; ')
}
