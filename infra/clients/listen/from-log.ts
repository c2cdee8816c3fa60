import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Event, eventCursor } from '../../../shared/events/event.ts'
import type { EventType } from '../../../shared/events/types.ts'
import { lowestUlid } from '../../../shared/ids.ts'
import { signedHeaders } from '../../../shared/webhooks/deliveries/signature.ts'
import { verifySignature } from '../../local/inbox/verify.ts'
import { forward, type Show } from './forward.ts'
import type { ListenState } from './listen-state.ts'

type Logged = Pick<Event, 'id' | 'type'>

interface Page {
  items: readonly Logged[]
  hasMore: boolean
  nextCursor: string | null
}

/** Why there is no page, and when to ask again. */
interface Later {
  why: string
  againInSeconds: number
}

export interface LogListener {
  target: URL
  events: readonly EventType[]
  state: ListenState
  /** Reads a page of the event log. */
  read(query: { cursor: string; types: string; limit: number }): Promise<Page | Later>
}

/** The log shows events after 90 seconds anyway, and calls count against the caller's limit. */
const everyMs = 5_000

const sign = (event: Logged, secret: string) => {
  const rawBody = Buffer.from(JSON.stringify(event))
  const timestamp = Math.floor(Date.now() / 1000)
  const deliveryId = `listen_${event.id}`
  const signing = { event, deliveryId, attempt: 1, timestamp, rawBody: rawBody.toString(), secret, previous: [] }
  return { rawBody, headers: signedHeaders(signing) }
}

const isGenuine = (headers: Record<string, string>, rawBody: Buffer, secret: string): boolean => {
  const received = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return verifySignature({ headers: Object.fromEntries(received), rawBody }, secret, Date.now())
}

/**
 * Reads the event log and signs each event with a separate secret. An event is forwarded once: the log stores no responses
 * of the app.
 */
export const listenByLog = async (
  { target, events, state: { stored, save }, read }: LogListener,
  show: Show,
  stopped: AbortSignal,
): Promise<void> => {
  const secret = stored.secret ?? `whsec_${randomBytes(32).toString('base64')}`
  stored.secret = secret
  stored.cursor ??= eventCursor(lowestUlid(Date.now()), 0)
  save()
  show.note(`Forwarding events to ${target}, 90 seconds after they happen. The signing secret is ${secret}\n`)
  while (!stopped.aborted) {
    const page = await read({ cursor: stored.cursor ?? '', types: events.join(','), limit: 100 })
    if ('why' in page) {
      show.note(`${page.why}; the next try is in ${page.againInSeconds} s.\n`)
      await sleep(page.againInSeconds * 1000, undefined, { signal: stopped })
      continue
    }
    for (const event of page.items) {
      const { headers, rawBody } = sign(event, secret)
      const answered = await forward(target, headers, rawBody)
      show.delivered({ genuine: isGenuine(headers, rawBody, secret), event, answer: answered })
      if (stopped.aborted) return
      stored.cursor = event.id.slice('evt_'.length)
      save()
    }
    if (page.nextCursor) stored.cursor = page.nextCursor
    if (!page.hasMore) await sleep(everyMs, undefined, { signal: stopped })
  }
}
