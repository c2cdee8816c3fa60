import * as z from 'zod/mini'

const services = ['bedrock', 'transcribe', 'openai'] as const
export type AiService = (typeof services)[number]

const kinds = ['status', 'hang', 'reset', 'malformed', 'not_json', 'huge', 'slow', 'filtered'] as const

/** How the next calls of a provider should fail. */
const AiFault = z.strictObject({
  service: z.enum(services),
  times: z.int().check(z.positive()),
  fault: z.enum(kinds),
  /** Of `status`. */
  status: z.optional(z.int().check(z.minimum(400), z.maximum(599))),
  retryAfterSeconds: z.optional(z.int().check(z.minimum(0))),
  /** Of `slow`. */
  delayMs: z.optional(z.number().check(z.nonnegative())),
})
export type AiFault = z.infer<typeof AiFault>

export interface AiFaults {
  add(fault: AiFault): void
  /** The fault for this call, spent by asking. */
  take(service: AiService): AiFault | undefined
  clear(): void
}

export const openAiFaults = (): AiFaults => {
  let queue: AiFault[] = []
  return {
    add: (fault) => void queue.push(z.parse(AiFault, fault)),
    take(service) {
      const fault = queue.find((queued) => queued.service === service)
      if (fault === undefined) return undefined
      queue = queue.flatMap((queued) =>
        queued !== fault ? [queued] : queued.times > 1 ? [{ ...queued, times: queued.times - 1 }] : [],
      )
      return fault
    },
    clear() {
      queue = []
    },
  }
}

/** More than any client should read of a response. */
export const hugeText = (): string => 'word '.repeat(8 * 1024 * 1024)
