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

/** Makes an endpoint for all events of posts, with its own hook. */
export const listen = (people: People, tenant: Tenant, inboxUrl: string, hook: string) =>
  people.attempt(`listen at ${hook}`, () =>
    people.apiOf(tenant, 'session').webhooks.create({
      body: { name: hook, url: `${inboxUrl}/hooks/${hook}`, events: [...eventTypes] },
      idempotencyKey: `key of ${hook}`,
    }),
  )

const acts = ['disconnect', 'reconnect', 'listen', 'stop listening', 'receiver fails', 'receiver fails'] as const

/** What the owner of a workspace does concurrently, at the worst moment. */
export const admin = async (
  people: People,
  { service, tenant, name }: { service: Service; tenant: Tenant; name: string },
): Promise<void> => {
  const { draw, loop, attempt, note } = people
  const api = people.apiOf(tenant, 'session')
  await loop.wait(undefined, draw(`${name} comes`) * 6 * minuteMs)
  // The first workspace stays, so that something goes on.
  const isDeleted = tenant !== people.tenants[0] && draw(`${name} deletes`) < 0.3
  const action = isDeleted ? 'delete workspace' : pick(draw, `${name} does`, acts)
  const { handle: identifier, appPassword } = blueskySeed.account
  if (action === 'disconnect' || action === 'reconnect') {
    const params = { id: tenant.accounts['bluesky'] ?? '' }
    await attempt(`disconnect ${params.id}`, () => api.socialAccounts.disconnect({ params }))
    if (action === 'disconnect') return
    await loop.wait(undefined, draw(`${name} is back`) * minuteMs)
    await attempt(`reconnect ${params.id}`, () =>
      api.socialAccounts.connectBluesky({ body: { identifier, appPassword } }),
    )
  } else if (action === 'delete workspace') {
    const params = { id: tenant.workspaceId }
    const { status, isInDoubt } = await attempt(`delete workspace ${tenant.name}`, () =>
      api.workspaces.delete({ params, query: { confirm: tenant.slug } }),
    )
    if (status === 200 || (isInDoubt && status === 403)) tenant.deletedAtMs = loop.nowMs()
  } else if (action === 'listen') await listen(people, tenant, service.inboxUrl, name.replaceAll(' ', '-'))
  else if (action === 'stop listening') {
    const { body } = await attempt('list endpoints', () => api.webhooks.list())
    const [first] = body ?? []
    if (first) await attempt(`stop listening at ${first.name}`, () => api.webhooks.delete({ params: { id: first.id } }))
  } else {
    const times = between(draw, `${name} times`, 1, 12)
    note(`the receiver of ${tenant.name} fails ${times} times`)
    service.inbox.behaviors.add({ name: tenant.name, times, status: pick(draw, `${name} status`, [500, 429, 404]) })
  }
}
