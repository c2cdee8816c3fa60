import * as z from 'zod/mini'
import { type ErrorResponse, retryAfterOf } from '../http.ts'
import { type Classification, classified, commonErrors, type PlatformError, shortDetail } from '../platform-error.ts'

const name = 'Discord'

const removed: Classification = ['auth', 'bot was removed from the server. Reconnect the server.']
const botRejected: Classification = [
  'auth',
  "rejected this service's bot token. Contact the operator of this service.",
  { operator: true },
]
/** Cloudflare before Discord blocks the call, for its network or its User-Agent (discord/discord-api-docs issue 6473, 2023-11). */
const networkRefused: Classification = [
  'transient',
  'refuses the calls of this service. Contact the operator of this service.',
  { operator: true },
]
const { unavailable } = commonErrors
const limited: Classification = ['rate', 'rate limit reached. Try again later.']
const rejected: Classification = ['invalid', 'rejected the message']
const blocked: Classification = ['blocked', 'blocked the message']

/** Discord's error codes (Opcodes and Status Codes, JSON). */
const byCode = new Map<number, Classification>([
  [40001, botRejected],
  [50014, botRejected],
  [40333, networkRefused],
  // For a channel, this may concern only the channel: `publish.ts` then queries the server.
  [50001, removed],
  [10004, removed],
  [40007, removed],
  [10003, ['invalid', 'channel no longer exists. Choose another one.']],
  [
    50013,
    [
      'invalid',
      'bot cannot write in this channel. Grant it Send Messages and Attach Files, and Create Polls for a poll.',
    ],
  ],
  ...[20_009, 200_000, 200_001, 240_000, 400_001].map((code) => [code, blocked] as const),
  ...[20_016, 20_028, 20_029, 40_003, 40_062].map((code) => [code, limited] as const),
  ...[40_004, 40_006, 110_000, 110_001, 130_000].map((code) => [code, unavailable] as const),
])

const ErrorBody = z.object({
  message: z.string(),
  code: z.optional(z.number()),
  retry_after: z.optional(z.number()),
  errors: z.optional(z.unknown()),
})
type ErrorBody = z.infer<typeof ErrorBody>

const Leaf = z.object({ _errors: z.array(z.object({ message: z.string() })) })

/** The messages of the error tree, each with its field. */
const readTree = (node: unknown, path: readonly string[] = []): string[] => {
  if (typeof node !== 'object' || node === null) return []
  const leaf = z.safeParse(Leaf, node)
  if (leaf.success) return leaf.data._errors.map(({ message }) => `${path.join('.')}: ${message}`)
  return Object.entries(node).flatMap(([key, inner]) => readTree(inner, [...path, key]))
}

const banSeconds = 600

const classify = (response: ErrorResponse, body: ErrorBody | undefined): Classification => {
  if (response.status === 401) return botRejected
  const [errorClass, sentence] = limited
  const wait = body?.retry_after ?? retryAfterOf(response)
  // A response without JSON comes from Cloudflare, for all calls from this address.
  if (response.status === 429 && !body) {
    return [errorClass, sentence, { operator: true, retryAfterSeconds: wait ?? banSeconds }]
  }
  const known = byCode.get(body?.code ?? 0)
  if (response.status === 429 || known === limited) return [errorClass, sentence, { retryAfterSeconds: wait ?? 60 }]
  return known ?? (body ? rejected : unavailable)
}

/** Classifies an error response by its code, then by its status. */
export const classifyDiscordError = (response: ErrorResponse): PlatformError => {
  const { data: body } = z.safeParse(ErrorBody, response.body)
  const message = shortDetail([body?.message, ...readTree(body?.errors)].filter(Boolean).join(' '))
  return classified(name, classify(response, body), {
    httpStatus: response.status,
    ...(body?.code === undefined ? {} : { code: String(body.code) }),
    detail: message,
  })
}
