import type { Answer } from '../../pages/server.ts'
import type { Call, Route } from '../standin.ts'
import type { StoredMap } from '../stored-map.ts'
import { refuseRequest } from './refuse.ts'
import { xSeed } from './seed.ts'
import { show } from './show.ts'
import type { Owner, StoredTweet } from './tweet.ts'

const maxIds = 100

/** One for each missing ID, next to the existing ones (X API, Response codes, Partial errors). */
const missing = (parameter: string) => (id: string) => ({
  resource_type: 'tweet',
  parameter,
  resource_id: id,
  title: 'Not Found Error',
  detail: `Could not find tweet with ${parameter}: [${id}].`,
  type: 'https://api.x.com/2/problems/resource-not-found',
})

/** The users that a call requests in addition to tweets. */
export function includesOf(tweets: readonly StoredTweet[], query: URLSearchParams): object {
  if (query.get('expansions')?.split(',').includes('author_id') !== true || tweets.length === 0) return {}
  const ids = new Set(tweets.map(({ owner }) => owner.id))
  const users = xSeed.people.filter(({ id }) => ids.has(id)).map(({ id, name, username }) => ({ id, name, username }))
  return { includes: { users } }
}

/** Tweets by their IDs: one, or up to a hundred. */
export function openReading(ownerOf: (call: Call) => Owner, tweets: StoredMap<StoredTweet>): Route[] {
  function answer(ids: readonly string[], parameter: string, query: URLSearchParams) {
    const present = ids.flatMap((id) => tweets.get(id) ?? [])
    const absent = ids.filter((id) => tweets.get(id) === undefined)
    const errors = absent.length === 0 ? {} : { errors: absent.map(missing(parameter)) }
    return { data: present.map((tweet) => show(tweet, query)), ...includesOf(present, query), ...errors }
  }
  function readOne(call: Call): Answer {
    ownerOf(call)
    const { data, ...rest } = answer([call.params['id'] ?? ''], 'id', call.query)
    return { status: 200, body: { ...(data[0] === undefined ? {} : { data: data[0] }), ...rest } }
  }
  function readSome(call: Call): Answer {
    ownerOf(call)
    const ids = (call.query.get('ids') ?? '').split(',')
    if (ids.length > maxIds || !ids.every((id) => /^\d{1,19}$/.test(id))) refuseRequest('ids: must be 1 to 100 ids')
    const { data, ...rest } = answer(ids, 'ids', call.query)
    return { status: 200, body: { ...(data.length === 0 ? {} : { data }), ...rest } }
  }
  return [
    { method: 'GET', path: '/2/tweets/:id', operation: 'lookup', answer: readOne },
    { method: 'GET', path: '/2/tweets', operation: 'lookup', answer: readSome },
  ]
}
