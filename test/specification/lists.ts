import { makeCollection } from '../support/world/preparations.ts'
import type { Check } from './check.ts'
import { anything, is, list, object } from './shape.ts'

const pageWith = (limit: number, offset: number) =>
  object({ items: list(anything), limit: is(limit), offset: is(offset) })

const paged = ['GET /api/posts', 'GET /api/drafts', 'GET /api/media']
const query = (sent: Record<string, string>): Pick<Check, 'call'> => ({ call: () => ({ query: sent }) })

/** Posts, pagination parameters; Limits. */
const pagination: Check[] = paged.flatMap((route): Check[] => [
  { route, title: 'returns 50 where no limit is sent', ...query({}), data: pageWith(50, 0) },
  { route, title: 'accepts the limit 1', ...query({ limit: '1' }), data: pageWith(1, 0) },
  { route, title: 'accepts the limit 199', ...query({ limit: '199' }), data: pageWith(199, 0) },
  { route, title: 'accepts the limit 200', ...query({ limit: '200' }), data: pageWith(200, 0) },
  { route, title: 'accepts an offset', ...query({ offset: '3' }), data: pageWith(50, 3) },
  ...['201', '-1', 'many', '1.5'].map((limit) => ({
    route,
    title: `rejects the limit ${limit}`,
    status: 400,
    ...query({ limit }),
  })),
  ...['-1', 'some'].map((offset) => ({
    route,
    title: `rejects the offset ${offset}`,
    status: 400,
    ...query({ offset }),
  })),
])

const memoriesOf = (limit?: string): Pick<Check, 'call'> => ({
  call: async ({ kit }) => ({
    query: { collectionId: (await makeCollection(kit)).id, ...(limit === undefined ? {} : { limit }) },
  }),
})

const memories: Check[] = [
  { route: 'GET /api/memory', title: 'returns 100 where no limit is sent', ...memoriesOf(), data: pageWith(100, 0) },
  { route: 'GET /api/memory', title: 'accepts the limit 200', ...memoriesOf('200'), data: pageWith(200, 0) },
  { route: 'GET /api/memory', title: 'rejects the limit 201', ...memoriesOf('201'), status: 400 },
  { route: 'GET /api/memory', title: 'needs a collection', ...query({}), status: 400 },
]

const statuses = ['draft', 'scheduled', 'published', 'failed', 'cancelled']

const filters: Check[] = [
  ...statuses.map((status) => ({
    route: 'GET /api/posts',
    title: `accepts the status ${status}`,
    ...query({ status }),
    data: pageWith(50, 0),
  })),
  { route: 'GET /api/posts', title: 'rejects another status', ...query({ status: 'live' }), status: 400 },
  {
    route: 'GET /api/posts',
    title: 'accepts an account',
    call: ({ accounts }) => ({ query: { socialAccountId: accounts.x } }),
    data: pageWith(50, 0),
  },
  ...['flair-options', 'post-requirements'].map((name) => ({
    route: `GET /api/social-accounts/reddit/${name}`,
    title: 'needs a subreddit',
    status: 400,
    ...query({}),
  })),
]

/** Ids that nothing has, in the form of those that something has. */
const unknown = '01KAJ2K6C8E0G2J4M6P8S0V2X4'
const noneOf: readonly [route: string, id: string, body?: object][] = [
  ['GET /api/posts/{id}', `post_${unknown}`],
  ['DELETE /api/posts/{id}', `post_${unknown}`],
  ['POST /api/posts/{id}/cancel', `post_${unknown}`],
  ['POST /api/posts/{id}/reschedule', `post_${unknown}`, { scheduledAt: '2030-02-01T00:00:00Z' }],
  ['GET /api/drafts/{id}', `drf_${unknown}`],
  ['PATCH /api/drafts/{id}', `drf_${unknown}`, { content: 'Better' }],
  ['DELETE /api/drafts/{id}', `drf_${unknown}`],
  ['GET /api/media/{id}', `med_${unknown}`],
  ['DELETE /api/media/{id}', `med_${unknown}`],
  ['GET /api/memory/collections/{id}', `col_${unknown}`],
  ['PATCH /api/memory/collections/{id}', `col_${unknown}`, { name: 'Better' }],
  ['DELETE /api/memory/collections/{id}', `col_${unknown}`],
  ['DELETE /api/memory/{id}', `mem_${unknown}`, { collectionId: `col_${unknown}` }],
  ['GET /api/webhooks/{id}', `whe_${unknown}`],
  ['PATCH /api/webhooks/{id}', `whe_${unknown}`, { name: 'Better' }],
  ['DELETE /api/webhooks/{id}', `whe_${unknown}`],
  ['POST /api/webhooks/{id}/rotate-secret', `whe_${unknown}`],
  ['POST /api/webhooks/{id}/test', `whe_${unknown}`],
  ['GET /api/webhooks/{id}/deliveries', `whe_${unknown}`],
  ['DELETE /api/cli/tokens/{id}', 'unknown'],
]

const missing: Check[] = noneOf.map(([route, id, body]) => ({
  route,
  title: 'returns 404 to an id of nothing',
  status: 404,
  call: () => ({ params: { id }, ...(body ? { body } : {}) }),
}))

export const lists: readonly Check[] = [...pagination, ...memories, ...filters, ...missing]
