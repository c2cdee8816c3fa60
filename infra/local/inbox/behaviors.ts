import * as z from 'zod/mini'
import { hourMs } from '../../../shared/time.ts'

/** How the next deliveries to one hook shall be met; without any, they are met with a quick 200. */
export const Behavior = z.strictObject({
  name: z.string().check(z.minLength(1)),
  times: z.int().check(z.positive()),
  status: z.optional(z.int().check(z.minimum(200), z.maximum(599))),
  /** Waits before it responds. */
  delayMs: z.optional(z.number().check(z.nonnegative(), z.maximum(hourMs))),
  /** Never responds. */
  hang: z.optional(z.boolean()),
  /** Cuts the connection once the body has arrived. */
  reset: z.optional(z.boolean()),
  /** Its Retry-After header. */
  retryAfter: z.optional(z.string()),
  /** Of a redirect; the status is 302 unless given. */
  location: z.optional(z.string()),
})
export type Behavior = z.infer<typeof Behavior>

export interface Behaviors {
  /** Throws a sentence if a behavior is invalid, and then adds none of them. */
  add(input: unknown): void
  pending(): readonly Behavior[]
  clear(): void
  /** The behavior for this delivery, spent by asking. */
  take(name: string): Behavior | undefined
}

export function openBehaviors(): Behaviors {
  let queue: Behavior[] = []
  return {
    add(input) {
      queue = [...queue, ...[input].flat().map(parse)]
    },
    pending: () => queue,
    clear() {
      queue = []
    },
    take(name) {
      const behavior = queue.find((queued) => queued.name === name)
      if (behavior === undefined) return undefined
      const left = { ...behavior, times: behavior.times - 1 }
      queue = queue.flatMap((queued) => (queued !== behavior ? [queued] : left.times > 0 ? [left] : []))
      return behavior
    },
  }
}

function parse(input: unknown): Behavior {
  const parsed = Behavior.safeParse(input, { error: z.locales.en().localeError })
  if (parsed.success) return parsed.data
  const wrong = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the whole'}: ${issue.message}`)
  throw new Error(`This is not a behavior: ${wrong.join('; ')}`)
}
