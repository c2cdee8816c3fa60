import * as z from 'zod/mini'
import { type PlatformCall, PlatformError, type Settled, type UnsettledAttempt } from '../platform.ts'
import { callPinterest } from './api.ts'
import { Pin, pinUrl } from './publish.ts'

const text = z.optional(z.nullable(z.string()))
const Listed = z.object({ id: z.string(), title: text, description: text, link: text, created_at: text })
const Page = z.object({ items: z.array(Listed), bookmark: z.optional(z.nullable(z.string())) })
type Listed = z.infer<typeof Listed>

const pageSize = '100'
const mostPages = 5
/** How far Pinterest's clock and ours may be apart. */
const slackMs = 5_000

/** Some of Pinterest's times name no zone: they are UTC. */
const madeAtMs = ({ created_at: at }: Listed) =>
  at ? Date.parse(/[Zz]|[+-]\d\d:\d\d$/.test(at) ? at : `${at}Z`) : Number.NaN

const same = (shown: string | null | undefined, sent: string | undefined) =>
  (shown ?? '').trim() === (sent ?? '').trim()

const isNewestFirst = (pins: readonly Listed[]) =>
  pins.every((pin, n) => n === 0 || madeAtMs(pin) <= madeAtMs(pins[n - 1] ?? pin))

const search = async ({ ctx, account }: PlatformCall, attempt: UnsettledAttempt): Promise<Settled> => {
  const { fields } = z.parse(Pin, attempt.ref)
  const sinceMs = attempt.armedAtMs - slackMs
  // One whose time cannot be read may be ours as well.
  const isOurs = (pin: Listed) =>
    !(madeAtMs(pin) < sinceMs) &&
    same(pin.title, fields.title) &&
    same(pin.description, fields.description) &&
    same(pin.link, fields.link)
  const seen: Listed[] = []
  let bookmark: string | null | undefined
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await callPinterest(ctx, account, {
      path: '/boards/{board}/pins',
      params: { board: fields.board_id },
      query: { page_size: pageSize, ...(bookmark ? { bookmark } : {}) },
      reply: Page,
    })
    const ours = answer.items.find(isOurs)
    if (ours && Number.isNaN(madeAtMs(ours))) return { kind: 'unclear' }
    if (ours) return { kind: 'landed', id: ours.id, url: pinUrl(ours.id) }
    seen.push(...answer.items)
    bookmark = answer.bookmark
    if (!bookmark) return { kind: 'absent' }
    // Pinterest promises no order: only where the newest came first is the rest known to be older.
    const last = seen.at(-1)
    if (last && madeAtMs(last) < sinceMs && isNewestFirst(seen)) return { kind: 'absent' }
  }
  return { kind: 'unclear' }
}

/** Looks for the Pin among those made on its board since the attempt. */
export const probe = (call: PlatformCall, attempt: UnsettledAttempt): Promise<Settled> =>
  search(call, attempt).catch((error: unknown) => {
    if (error instanceof PlatformError) return { kind: 'unclear' }
    throw error
  })
