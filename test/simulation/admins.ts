import { blueskySeed } from '../../infra/local/platforms/bluesky/seed.ts'
import type { Service } from '../../infra/local/service.ts'
import { minuteMs } from '../../shared/time.ts'
import { between, pick } from './draw.ts'
import type { People } from './people.ts'
import type { Tenant } from './world.ts'

const eventTypes = [
  'post.scheduled',
  'post.rescheduled',
  'post.updated',
  'post.cancelled',
  'post.published',
  'post.publish_failed',
] as const

/** Makes an endpoint for all events of posts, on a hook of its own. */
export const listen = (people: People, tenant: Tenant, inboxUrl: string, hook: string) =>
  people.ask(`listen at ${hook}`, () =>
    people.apiOf(tenant, 'session').webhooks.create({
      body: { name: hook, url: `${inboxUrl}/hooks/${hook}`, events: [...eventTypes] },
      idempotencyKey: `key of ${hook}`,
    }),
  )

const acts = ['disconnect', 'reconnect', 'listen', 'stop listening', 'receiver fails', 'receiver fails'] as const

/** What the owner of a workspace does beside it, at the worst moment. */
export const admin = async (
  people: People,
  { service, tenant, name }: { service: Service; tenant: Tenant; name: string },
): Promise<void> => {
  const { draw, loop, ask, tell } = people
  const api = people.apiOf(tenant, 'session')
  await loop.wait(undefined, draw(`${name} comes`) * 6 * minuteMs)
  // The first workspace stays, so that something goes on.
  const isDeleted = tenant !== people.tenants[0] && draw(`${name} deletes`) < 0.3
  const what = isDeleted ? 'delete workspace' : pick(draw, `${name} does`, acts)
  const { handle: identifier, appPassword } = blueskySeed.account
  if (what === 'disconnect' || what === 'reconnect') {
    const params = { id: tenant.accounts['bluesky'] ?? '' }
    await ask(`disconnect ${params.id}`, () => api.socialAccounts.disconnect({ params }))
    if (what === 'disconnect') return
    await loop.wait(undefined, draw(`${name} is back`) * minuteMs)
    await ask(`reconnect ${params.id}`, () => api.socialAccounts.connectBluesky({ body: { identifier, appPassword } }))
  } else if (what === 'delete workspace') {
    const params = { id: tenant.workspaceId }
    const { status, isInDoubt } = await ask(`delete workspace ${tenant.name}`, () =>
      api.workspaces.delete({ params, query: { confirm: tenant.slug } }),
    )
    if (status === 200 || (isInDoubt && status === 403)) tenant.deletedAtMs = loop.nowMs()
  } else if (what === 'listen') await listen(people, tenant, service.inboxUrl, name.replaceAll(' ', '-'))
  else if (what === 'stop listening') {
    const { body } = await ask('list endpoints', () => api.webhooks.list())
    const [first] = body ?? []
    if (first) await ask(`stop listening at ${first.name}`, () => api.webhooks.delete({ params: { id: first.id } }))
  } else {
    const times = between(draw, `${name} times`, 1, 12)
    tell(`the receiver of ${tenant.name} fails ${times} times`)
    service.inbox.behaviors.add({ name: tenant.name, times, status: pick(draw, `${name} status`, [500, 429, 404]) })
  }
}
