import { update } from '../../shared/db/table.ts'
import { hourMs } from '../../shared/time.ts'
import { workspaces } from '../../shared/workspaces/workspace.ts'
import type { Answer } from '../support/world/ask.ts'
import { connectOnce, makePost } from '../support/world/preparations.ts'
import type { Check } from './check.ts'
import { furtherThreadPlatforms } from './deviations.ts'
import { bodyOf, good } from './platform-texts.ts'
import { empty, filled, is, list, object } from './shape.ts'
import type { World } from './world.ts'

const every = ['validate', 'schedule', 'publish-now'].map((name) => `POST /api/posts/${name}`)

/** A body for any of the three routes; only one of them takes a time. */
const bodyFor = (route: string, world: World, body: object) =>
  route.endsWith('schedule') ? { ...body, scheduledAt: world.at(hourMs) } : body

const dataOf = ({ body }: Answer) => body?.['data'] as Record<string, unknown>[]

/** A file by its id, by its address and by its storage key: the same file. */
const mediaForms: Check[] = (['id', 'address', 'key'] as const).map((form) => ({
  route: 'POST /api/posts/schedule',
  title: `accepts a file by its ${form} and returns its id`,
  call: async (world) => {
    const id = await world.file('image/png')
    const { storageKey, previewUrl } = await world.kit.api.media.get({ params: { id } })
    const mediaUrls = [{ id, address: previewUrl, key: storageKey }[form]]
    return { body: { ...(await bodyOf(world, good.discord)), mediaUrls, scheduledAt: world.at(hourMs) } }
  },
  also: async (answer, world) =>
    list(object({ mediaUrls: list(is(await world.file('image/png')), { least: 1 }) })).faults(dataOf(answer), 'data'),
}))

/** Posts, rule 3: what is missing, by the route. */
const missing: Check[] = ['schedule', 'publish-now'].flatMap((name): Check[] => {
  const route = `POST /api/posts/${name}`
  const withBody = (more: object) => async (world: World) => ({
    body: bodyFor(route, world, { ...(await bodyOf(world, good.discord)), ...more }),
  })
  return [
    { route, title: 'a missing file', status: 404, call: withBody({ mediaUrls: ['med_01KAJ2K6C8E0G2J4M6P8S0V2X4'] }) },
    { route, title: 'a missing account', status: 404, call: withBody({ socialAccountIds: ['acc_none'] }) },
  ]
})

/** Scheduling: one post per account with a shared group; all or nothing. */
const groups: Check[] = [
  ...['schedule', 'publish-now'].map(
    (name): Check => ({
      route: `POST /api/posts/${name}`,
      title: 'makes one scheduled post per account, in one group',
      call: async (world) => {
        const { bluesky, threads, linkedin } = world.accounts
        const socialAccountIds = [bluesky, threads, linkedin]
        return { body: bodyFor(name, world, { socialAccountIds, content: 'For three' }) }
      },
      data: list(object({ status: is('scheduled'), content: is('For three') }), { least: 3 }),
      also: (answer) => {
        const [posts, of] = [dataOf(answer), (field: string) => new Set(dataOf(answer).map((post) => post[field]))]
        const counts = [posts.length, of('id').size, of('groupId').size, of('socialAccountId').size]
        return counts.join() === '3,3,1,3' ? [] : [`posts, ids, groups and accounts are ${counts}`]
      },
    }),
  ),
  ...every.map(
    (route): Check => ({
      route,
      title: 'one bad account of two is enough',
      ...(route.endsWith('validate') ? {} : { status: 400 }),
      call: async (world) => {
        const { bluesky, threads } = world.accounts
        return { body: bodyFor(route, world, { socialAccountIds: [bluesky, threads], content: 'half'.repeat(100) }) }
      },
      also: async ({ text }, { kit }) => {
        if (route.endsWith('validate')) return text.includes('"valid":false') ? [] : [text]
        const { items } = await kit.api.posts.list({ query: { limit: 200 } })
        return items.filter(({ content }) => content.startsWith('halfhalf')).map(({ id }) => `made the post ${id}`)
      },
    }),
  ),
  {
    route: 'POST /api/posts/validate',
    title: 'names the limit and the counts of a text that is too long',
    call: ({ accounts }) => ({ body: { socialAccountIds: [accounts.bluesky], content: 'x'.repeat(312) } }),
    also: ({ text }) => (/312/.test(text) && /300/.test(text) ? [] : [text]),
  },
  {
    route: 'POST /api/posts/validate',
    title: 'writes nothing',
    call: ({ accounts }) => ({ body: { socialAccountIds: [accounts.bluesky], content: 'Only asked' } }),
    data: object({ valid: is(true), issues: empty }),
    also: async (_, { kit }) => {
      const { items } = await kit.api.posts.list({ query: { limit: 200 } })
      return items.filter(({ content }) => content === 'Only asked').map(({ id }) => `made the post ${id}`)
    },
  },
]

const tweetsOf = (count: number, length = 10) =>
  Array.from({ length: count }, (_, n) => ({ content: `${n} `.padEnd(length, 'x') }))

/** Threads of 2 to 25 tweets, each within X's limit, from an X account. */
const threads: Check[] = ['schedule-thread', 'publish-thread-now'].flatMap((name): Check[] => {
  const route = `POST /api/posts/${name}`
  const withTweets = (tweets: object[], platform: 'x' | 'discord' | (typeof furtherThreadPlatforms)[number] = 'x') => ({
    call: (world: World) => ({
      body: {
        socialAccountId: world.accounts[platform],
        tweets,
        ...(name === 'schedule-thread' ? { scheduledAt: world.at(hourMs) } : {}),
      },
    }),
  })
  return [
    ...[2, 3, 24, 25].map((count) => ({
      route,
      title: `accepts ${count} tweets`,
      ...withTweets(tweetsOf(count)),
      data: object({
        threadHeadPost: object({ status: is('scheduled'), content: is('0 xxxxxxxx') }),
        totalTweets: is(count),
        postIds: list(filled, { least: count }),
      }),
    })),
    ...[0, 1, 26].map((count) => ({
      route,
      title: `rejects ${count} tweets`,
      status: 400,
      ...withTweets(tweetsOf(count)),
    })),
    ...[279, 280].map((length) => ({
      route,
      title: `accepts tweets of ${length}`,
      ...withTweets(tweetsOf(2, length)),
    })),
    { route, title: 'rejects a tweet of 281', status: 400, ...withTweets([...tweetsOf(1), ...tweetsOf(1, 281)]) },
    { route, title: 'accepts no account elsewhere', status: 400, ...withTweets(tweetsOf(2), 'discord') },
    ...furtherThreadPlatforms.map((platform) => ({
      route,
      title: `accepts an account on ${platform}`,
      ...withTweets(tweetsOf(2), platform),
    })),
  ]
})

const cancelled = async ({ kit }: World) => {
  const post = { params: { id: (await makePost(kit)).id } }
  await kit.api.posts.cancel(post)
  return post
}

/** States and transitions, as far as nothing is published. */
const states: Check[] = [
  { route: 'POST /api/posts/{id}/cancel', title: 'a post that is cancelled', status: 400, call: cancelled },
  {
    route: 'POST /api/posts/{id}/reschedule',
    title: 'a post that is cancelled',
    status: 400,
    call: async (world) => ({ ...(await cancelled(world)), body: { scheduledAt: world.at(hourMs) } }),
  },
  {
    route: 'POST /api/posts/{id}/reschedule',
    title: 'accepts a new text with the new time',
    call: async (world) => ({
      params: { id: (await makePost(world.kit)).id },
      body: { scheduledAt: '2030-03-01T09:00:00Z', content: 'Later, and better' },
    }),
    data: object({ status: is('scheduled'), content: is('Later, and better') }),
    also: ({ body }) => {
      const { scheduledAt } = body?.['data'] as { scheduledAt: string }
      return Date.parse(scheduledAt) === Date.parse('2030-03-01T09:00:00Z') ? [] : [`is at ${scheduledAt}`]
    },
  },
  {
    route: 'GET /api/posts/{id}',
    title: 'returns 404 for a deleted post',
    status: 404,
    call: async ({ kit }) => {
      const { id } = await makePost(kit)
      await kit.api.posts.delete({ params: { id } })
      return { params: { id } }
    },
  },
]

/** No post to X is left in this month; the last checks of all. */
const atCap = async ({ kit }: World) => {
  await update(kit.ctx, workspaces.key({ id: kit.workspaceId }), { set: { xMonthlyCap: 0 } })
  return connectOnce(kit, 'x')
}

/** Errors, the X cap. */
const capped: Check[] = [
  ...every.map(
    (route): Check => ({
      route,
      title: 'above the monthly cap of X',
      ...(route.endsWith('validate')
        ? { also: ({ text }) => (text.includes('"valid":false') ? [] : [text]) }
        : { status: 429, error: 'X monthly posting cap reached', code: 'x_cap_exceeded' }),
      call: async (world) => {
        const body = { socialAccountIds: [await atCap(world)], content: 'One too many' }
        return { body: bodyFor(route, world, body) }
      },
    }),
  ),
  ...['schedule-thread', 'publish-thread-now'].map(
    (name): Check => ({
      route: `POST /api/posts/${name}`,
      title: 'above the monthly cap of X',
      status: 429,
      error: 'X monthly posting cap reached',
      code: 'x_cap_exceeded',
      call: async (world) => {
        const body = { socialAccountId: await atCap(world), tweets: tweetsOf(2) }
        return { body: name === 'schedule-thread' ? { ...body, scheduledAt: world.at(hourMs) } : body }
      },
    }),
  ),
]

export const posts: readonly Check[] = [...mediaForms, ...missing, ...groups, ...threads, ...states, ...capped]
