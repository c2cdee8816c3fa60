import { update } from '../../shared/db/table.ts'
import { endpoints } from '../../shared/webhooks/endpoints/endpoint.ts'
import { scheduleOn } from '../journeys/author.ts'
import type { Kit } from '../support/start.ts'

const year = 365 * 86_400_000

type Body = Parameters<Kit['sessionApi']['webhooks']['create']>[0]['body']

/** An endpoint at a hook of the inbox. */
export const makeHook = (kit: Kit, name: string, over: Partial<Body> = {}) =>
  kit.sessionApi.webhooks.create({ body: bodyOf(kit, name, over) })

export const bodyOf = (kit: Kit, name: string, over: Partial<Body> = {}): Body => ({
  name,
  url: `${kit.service.inboxUrl}/hooks/${encodeURIComponent(name)}`,
  events: ['post.scheduled'],
  ...over,
})

/** Lets one `post.scheduled` happen; the post itself stays out of the way. */
export const emit = (kit: Kit) => {
  // Logs are in the order of their events' milliseconds.
  kit.clock.pass(1)
  return scheduleOn(kit, 'bluesky', 'Hello', year)
}

/** The log of an endpoint, oldest attempt first. */
export const logOf = async (kit: Kit, id: string, query: { status?: string; eventType?: string } = {}) =>
  (await kit.sessionApi.webhooks.listDeliveries({ params: { id }, query: { ...query, limit: 200 } })).items.reverse()

/** What has reached a hook of the inbox, oldest first. */
export const receivedBy = (kit: Kit, name: string) => kit.inbox.deliveries().filter(({ endpoint }) => endpoint === name)

/** Lets the sweeper find what is due: its next round, and what comes of it. */
export const sweep = (kit: Kit) => kit.service.pass(61_000)

/** Gives an endpoint an address that create and update refuse. */
export const moveTo = (kit: Kit, id: string, url: string) =>
  update(kit.ctx, endpoints.key({ workspaceId: kit.workspaceId, id }), { set: { url } })

export const removeHooks = async (kit: Kit) => {
  const { webhooks } = kit.sessionApi
  for (const { id } of await webhooks.list()) await webhooks.delete({ params: { id } })
}
