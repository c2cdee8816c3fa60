import { expect } from 'vitest'
import * as z from 'zod/mini'
import { events } from '../../shared/events/catalog.ts'
import { apiVersion, type Event } from '../../shared/events/event.ts'
import type { EventType } from '../../shared/events/types.ts'
import { definitions } from '../../shared/platforms/definitions.ts'

/** What receivers are promised. */
const maxBytes = 64 * 1024

/** No key beyond those that are documented, so that none leaves by chance. */
const strictly = (type: EventType) => z.strictObject({ ...events[type].data.shape })

/** Every event has the documented fields of its type and no more, is small, and contains no address. */
export const expectAsDocumented = (events: readonly Event[]): void => {
  for (const event of events) {
    const wrong = z.safeParse(strictly(event.type), event.data).error?.issues ?? []
    expect(wrong, `${event.type} ${JSON.stringify(event.data)}`).toEqual([])
    const body = JSON.stringify(event)
    expect(Buffer.byteLength(body)).toBeLessThan(maxBytes)
    // The text of a post is the caller's own, and the name of a self-hosted account has the form of an address.
    const atServers = definitions.flatMap(({ id, postsAt }) => (typeof postsAt === 'string' ? [String(id)] : []))
    const isAtServer =
      'platform' in event.data && atServers.includes(String(event.data['platform'])) && 'username' in event.data
    const own = { content: '', ...(isAtServer ? { username: '' } : {}) }
    const withoutText = JSON.stringify({ ...event, data: { ...event.data, ...own } })
    expect(withoutText, 'an e-mail address').not.toMatch(/[\w.+-]+@[\w-]+\.\w/)
    expect(event.apiVersion).toBe(apiVersion)
  }
}
