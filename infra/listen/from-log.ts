import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type Client, client } from '../../functions/client.ts'
import { eventCursor } from '../../shared/events/cursor.ts'
import { lowestUlid } from '../../shared/ids.ts'
import { signedHeaders } from '../../shared/webhooks/deliveries/signature.ts'
import { verifySignature } from '../local/inbox/verify.ts'
import { causeOf, forward, lineOf } from './forward.ts'
import { openPlace } from './kept.ts'
import type { ListenOptions } from './options.ts'

type Print = (text: string) => void
type Page = Awaited<ReturnType<Client['webhooks']['listEventLog']>>
type Logged = Page['items'][number]

/** The log shows events after 90 seconds anyway, and calls count against the caller's limit. */
const everyMs = 5_000

/** Where the service does not say when to come back. */
const limitedSeconds = 10

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
 * Reads the event log and signs each event with a secret of its own. An event is forwarded once: the log remembers
 * no answers of the app.
 */
export const listenByLog = async (options: ListenOptions, print: Print, stopped: AbortSignal): Promise<void> => {
  const { target, events } = options
  const { webhooks } = client(options)
  const { place, save } = openPlace(options)
  const secret = place.secret ?? `whsec_${randomBytes(32).toString('base64')}`
  place.secret = secret
  place.cursor ??= eventCursor(lowestUlid(Date.now()), 0)
  save()
  print(`Forwarding events to ${target}, 90 seconds after they happen. The signing secret is ${secret}\n`)

  const read = async (): Promise<Page | undefined> => {
    const query = { cursor: place.cursor ?? '', types: events.join(','), limit: 100 }
    try {
      return await webhooks.listEventLog({ query })
    } catch (error) {
      if (error instanceof ApiError && error.status !== 429 && error.status < 500) throw error
      const seconds = Number((error instanceof ApiError && error.headers.get('Retry-After')) || limitedSeconds)
      print(`${causeOf(error)}; the next try is in ${seconds} s.\n`)
      await sleep(seconds * 1000, undefined, { signal: stopped })
      return undefined
    }
  }
  while (!stopped.aborted) {
    const page = await read()
    for (const event of page?.items ?? []) {
      const { headers, rawBody } = sign(event, secret)
      const answered = await forward(target, headers, rawBody)
      print(lineOf(isGenuine(headers, rawBody, secret), `${event.type}  ${event.id}`, answered))
      if (stopped.aborted) return
      place.cursor = event.id.slice('evt_'.length)
      save()
    }
    if (page?.nextCursor) place.cursor = page.nextCursor
    if (!page?.hasMore) await sleep(everyMs, undefined, { signal: stopped })
  }
}
