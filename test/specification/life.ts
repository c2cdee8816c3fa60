import { createHmac } from 'node:crypto'
import { minuteMs } from '../../shared/time.ts'
import { listen } from '../journeys/author.ts'
import type { Answer } from '../support/world/ask.ts'
import { channelId } from '../support/world/preparations.ts'
import type { Check } from './check.ts'
import { date, filled, is, matching, maybe, object, orNull, uri } from './shape.ts'
import type { World } from './world.ts'

/** Webhook event envelope, and the delivery headers. */
const envelope = (type: string) =>
  object({
    id: filled,
    type: is(type),
    apiVersion: filled,
    createdAt: date,
    workspace: object({ id: filled, name: maybe(filled), slug: maybe(filled) }),
    data: object({}),
  })

const headers = (eventId: unknown) =>
  object({
    'x-service-signature': matching(/^v1=[0-9a-f]{64}/),
    'x-service-timestamp': matching(/^\d{10}$/),
    'x-service-event-id': is(eventId),
    'x-service-delivery-id': filled,
  })

const secrets = new WeakMap<World, Promise<string>>()
/** The secret of an endpoint for every event. */
const secretOf = (world: World): Promise<string> => {
  const secret = secrets.get(world) ?? listen(world.kit, 'told').then((made) => made.secret)
  secrets.set(world, secret)
  return secret
}

type Received = { headers: Record<string, string>; rawBody: string }

const signatureFaults = ({ headers: sent, rawBody }: Received, secret: string): string[] => {
  const signed = createHmac('sha256', secret).update(`${sent['x-service-timestamp']}.${rawBody}`).digest('hex')
  return sent['x-service-signature']?.startsWith(`v1=${signed}`) ? [] : ['the signature is another one']
}

/** What is wrong with the deliveries of an event of this type about the answered post: exactly one must have come. */
const deliveredEvents = async (world: World, type: string, { body }: Partial<Answer> = {}): Promise<string[]> => {
  const secret = await secretOf(world)
  const [{ id = '' } = {}] = [body?.['data'] ?? {}].flat() as { id?: string }[]
  const received = world.kit.inbox
    .deliveries()
    .filter(({ rawBody }) => JSON.parse(rawBody).type === type && rawBody.includes(id))
  const [one] = received
  if (one === undefined || received.length !== 1) return [`${received.length} deliveries of ${type}`]
  const event = JSON.parse(one.rawBody)
  return [
    ...envelope(type).faults(event, 'event'),
    ...headers(event.id).faults(one.headers, 'headers'),
    ...signatureFaults(one, secret),
  ]
}

const bodies = {
  bluesky: (world: World) => ({ socialAccountIds: [world.kit.accounts.bluesky], content: 'Fresh bread' }),
  discord: (world: World) => ({
    socialAccountIds: [world.kit.accounts.discord],
    content: 'Fresh bread',
    metadata: { discord: { channelId } },
  }),
}

const schedule = async (world: World, platform: keyof typeof bodies = 'discord') => {
  await secretOf(world)
  const body = { ...bodies[platform](world), scheduledAt: world.at(30 * minuteMs) }
  const [post] = await world.kit.api.posts.schedule({ body })
  await world.kit.service.drain()
  world.kit.inbox.reset()
  return { params: { id: post?.id ?? '' } }
}

const drained = async (world: World, type: string, answer: Answer) => {
  await world.kit.service.drain()
  return deliveredEvents(world, type, answer)
}

const published = async (world: World, platform: keyof typeof bodies) => {
  const post = await schedule(world, platform)
  await world.kit.service.pass(31 * minuteMs)
  return post
}

const failed = async (world: World) => {
  world.kit.platforms.faults.add({ platform: 'discord', operation: 'create', times: 1, fault: 'status', status: 400 })
  return published(world, 'discord')
}

const post = (status: string, address = orNull(uri), error = is(null)) =>
  object({ id: filled, status: is(status), publishedPostUrl: address, error })

/** States and transitions, and Events. */
export const life: readonly Check[] = [
  {
    route: 'POST /api/posts/schedule',
    title: 'emits post.scheduled',
    call: async (world) => {
      await secretOf(world)
      world.kit.inbox.reset()
      return { body: { ...bodies.discord(world), scheduledAt: world.at(30 * minuteMs) } }
    },
    also: (answer, world) => drained(world, 'post.scheduled', answer),
  },
  {
    route: 'POST /api/posts/{id}/cancel',
    title: 'emits post.cancelled',
    call: schedule,
    data: post('cancelled'),
    also: (answer, world) => drained(world, 'post.cancelled', answer),
  },
  {
    route: 'POST /api/posts/{id}/reschedule',
    title: 'emits post.rescheduled',
    call: async (world) => ({ ...(await schedule(world)), body: { scheduledAt: world.at(50 * minuteMs) } }),
    data: post('scheduled'),
    also: (answer, world) => drained(world, 'post.rescheduled', answer),
  },
  ...(['bluesky', 'discord'] as const).map(
    (platform): Check => ({
      route: 'GET /api/posts/{id}',
      title: `is published on ${platform} on time, with a URL, and emits post.published`,
      call: (world) => published(world, platform),
      data: post('published', uri),
      also: (answer, world) => deliveredEvents(world, 'post.published', answer),
    }),
  ),
  {
    route: 'GET /api/posts/{id}',
    title: 'fails with an error when the platform rejects it, and emits post.publish_failed',
    call: failed,
    data: post('failed', orNull(uri), filled),
    also: (answer, world) => deliveredEvents(world, 'post.publish_failed', answer),
  },
  {
    route: 'POST /api/posts/{id}/reschedule',
    title: 'accepts a failed post',
    call: async (world) => ({ ...(await failed(world)), body: { scheduledAt: world.at(30 * minuteMs) } }),
    data: post('scheduled'),
  },
  ...(['cancel', 'reschedule'] as const).map(
    (verb): Check => ({
      route: `POST /api/posts/{id}/${verb}`,
      title: 'rejects a published post',
      status: 400,
      call: async (world) => ({
        ...(await published(world, 'discord')),
        ...(verb === 'reschedule' ? { body: { scheduledAt: world.at(30 * minuteMs) } } : {}),
      }),
    }),
  ),
  {
    route: 'POST /api/posts/{id}/cancel',
    title: 'rejects a failed post',
    status: 400,
    call: failed,
  },
  {
    route: 'GET /api/posts/{id}',
    title: 'a post that is published now is published once it is polled',
    call: async (world) => {
      const [made] = await world.kit.api.posts.publishNow({ body: bodies.discord(world) })
      await world.kit.service.pass(minuteMs)
      return { params: { id: made?.id ?? '' } }
    },
    data: post('published', uri),
  },
  {
    route: 'POST /api/webhooks/{id}/test',
    title: 'sends a test delivery',
    call: async (world) => {
      const [hook] = await world.kit.sessionApi.webhooks.list()
      world.kit.inbox.reset()
      return { params: { id: hook?.id ?? '' } }
    },
    also: async (_, world) => {
      await world.kit.service.drain()
      const { length } = world.kit.inbox.deliveries()
      return length === 1 ? [] : [`${length} deliveries`]
    },
  },
  {
    route: 'GET /api/social-accounts',
    title: 'reports a lost connection, and emits social_account.reconnect_required',
    call: async (world) => {
      const { kit } = world
      await schedule(world, 'bluesky')
      kit.platforms.faults.add({ platform: 'bluesky', operation: '*', times: 4, fault: 'token_revoked' })
      await kit.service.pass(31 * minuteMs)
      kit.platforms.faults.clear()
      return {}
    },
    also: async ({ body }, world) => {
      const accounts = body?.['data'] as { id: string; needsReconnect: boolean }[]
      const lost = accounts.find(({ id }) => id === world.kit.accounts.bluesky)
      const flags = object({ needsReconnect: is(true) }).faults(lost, 'account')
      return [...flags, ...(await deliveredEvents(world, 'social_account.reconnect_required'))]
    },
  },
]
