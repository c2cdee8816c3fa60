import * as z from 'zod/mini'
import type { PlatformCall, ProbeResult, UnsettledAttempt } from '../adapter.ts'
import { lookBack, pageMs, windowOf } from '../look-back.ts'
import { PlatformError } from '../platform-error.ts'
import { callPinterest } from './api.ts'
import { Pin, pinUrl } from './publish.ts'

const text = z.optional(z.nullable(z.string()))
const Listed = z.object({ id: z.string(), title: text, description: text, link: text, created_at: text })
const Page = z.object({ items: z.array(Listed), bookmark: z.optional(z.nullable(z.string())) })
type Listed = z.infer<typeof Listed>

const pageSize = '250'
/** How far Pinterest's clock and ours may be apart. */
const clockSkewMs = 5_000

/** Some of Pinterest's times name no zone: they are UTC. */
const madeAtMs = ({ created_at: at }: Listed) =>
  at ? Date.parse(/[Zz]|[+-]\d\d:\d\d$/.test(at) ? at : `${at}Z`) : Number.NaN

const same = (shown: string | null | undefined, sent: string | undefined) =>
  (shown ?? '').trim() === (sent ?? '').trim()

const search = async ({ ctx, account }: PlatformCall, attempt: UnsettledAttempt): Promise<ProbeResult> => {
  const { fields } = z.parse(Pin, attempt.ref)
  const seen = await lookBack<Listed, string>({
    clock: ctx.clock,
    fromMs: windowOf(attempt, clockSkewMs).fromMs,
    async read(bookmark) {
      const answer = await callPinterest(ctx, account, {
        path: '/boards/{board}/pins',
        params: { board: fields.board_id },
        query: { page_size: pageSize, ...(bookmark ? { bookmark } : {}) },
        totalMs: pageMs,
        reply: Page,
      })
      return { items: answer.items, next: answer.bookmark || undefined }
    },
    atMs: madeAtMs,
    isOurs: (pin) =>
      same(pin.title, fields.title) && same(pin.description, fields.description) && same(pin.link, fields.link),
  })
  if (seen.kind !== 'found') return seen
  const [{ id }] = seen.items
  return { kind: 'published', id, url: pinUrl(id) }
}

/** Looks for the Pin among those made on its board since the attempt. */
export const probe = (call: PlatformCall, attempt: UnsettledAttempt): Promise<ProbeResult> =>
  search(call, attempt).catch((error: unknown) => {
    if (error instanceof PlatformError) return { kind: 'unclear' }
    throw error
  })
