import * as z from 'zod/mini'
import { type ErrorResponse, retryAfterSeconds, shorten } from '../http.ts'
import { type ErrorClass, type ErrorFacts, PlatformError } from '../platform-error.ts'

interface Verdict {
  errorClass: ErrorClass
  text: string
  facts?: ErrorFacts
}

const removed: Verdict = { errorClass: 'auth', text: 'The bot was removed from the Discord server: connect it again.' }
const misconfigured: Verdict = {
  errorClass: 'auth',
  text: 'Discord refuses the bot of this service: its operator must look after it.',
  facts: { operator: true },
}
const paused: Verdict = { errorClass: 'transient', text: 'Discord is busy.' }
const limited: Verdict = { errorClass: 'rate', text: 'Discord takes no more messages for a while.' }
const refused: Verdict = { errorClass: 'invalid', text: 'Discord refused the message' }

const blocked: Verdict = { errorClass: 'blocked', text: 'Discord has blocked the message' }

const invalid = (text: string): Verdict => ({ errorClass: 'invalid', text })

/** Discord's error codes (platforms-b, 7.6); a text without a full stop is followed by Discord's own. */
const verdicts = new Map<number, Verdict>([
  [40001, misconfigured],
  [50014, misconfigured],
  [40333, misconfigured],
  // At a channel this may be the channel only: `publish.ts` asks for the server then.
  [50001, removed],
  [10004, removed],
  [10003, invalid('The Discord channel does not exist any more: choose another one.')],
  [50013, invalid('The bot may not write in this channel: give it Send Messages and Attach Files.')],
  ...[20_009, 200_000, 200_001, 240_000].map((code) => [code, blocked] as const),
  [20016, limited],
  [20028, limited],
  [20029, limited],
  [40004, paused],
  [40006, paused],
  [130000, paused],
])

const ErrorBody = z.object({
  message: z.string(),
  code: z.optional(z.number()),
  retry_after: z.optional(z.number()),
  errors: z.optional(z.unknown()),
})
type ErrorBody = z.infer<typeof ErrorBody>

const Leaf = z.object({ _errors: z.array(z.object({ message: z.string() })) })

/** The sentences of the error tree, each with the field it is about. */
const readTree = (node: unknown, path: readonly string[] = []): string[] => {
  if (typeof node !== 'object' || node === null) return []
  const leaf = z.safeParse(Leaf, node)
  if (leaf.success) return leaf.data._errors.map(({ message }) => `${path.join('.')}: ${message}`)
  return Object.entries(node).flatMap(([key, inner]) => readTree(inner, [...path, key]))
}

const banSeconds = 600

const verdictOf = ({ status, headers }: ErrorResponse, body: ErrorBody | undefined): Verdict => {
  if (status === 401) return misconfigured
  const wait = body?.retry_after ?? retryAfterSeconds(headers)
  // Without JSON it is Cloudflare that answers, for all calls from this address.
  if (status === 429 && !body) return { ...limited, facts: { operator: true, retryAfterSeconds: wait ?? banSeconds } }
  const known = verdicts.get(body?.code ?? 0)
  if (status === 429 || known === limited) return { ...limited, facts: { retryAfterSeconds: wait ?? 60 } }
  return known ?? (body ? refused : paused)
}

/** Sorts a refusal: by its code first, by its status second. */
export const sortDiscord = (answer: ErrorResponse): PlatformError => {
  const { data: body } = z.safeParse(ErrorBody, answer.body)
  const { errorClass, text, facts } = verdictOf(answer, body)
  const words = shorten([body?.message, ...readTree(body?.errors)].filter(Boolean).join(' '))
  return new PlatformError(errorClass, text.endsWith('.') ? text : `${text}: ${words}`, {
    httpStatus: answer.status,
    ...(body?.code === undefined ? {} : { code: String(body.code) }),
    detail: words,
    ...facts,
  })
}
