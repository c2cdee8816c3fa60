import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import type { Answer } from '../../pages/server.ts'
import { faceUrl } from '../face.ts'
import type { Call, Route, SimulatorContext, Sockets } from '../standin.ts'
import { forgedBecause, personOf, StoredEvent, write } from './event.ts'
import { refuse } from './refuse.ts'
import { nostrSeed } from './seed.ts'

/** A relay's limits for one event, and for its time (strfry.conf, maxEventSize and rejectEventsNewerThanSeconds). */
const maxEventBytes = 65_536
const newestSeconds = 900
const maxEvents = 500

/** The relays that reject every post, by the path of their address, each with its message. */
const refusing: Readonly<Record<string, string>> = {
  '/blocked': 'blocked: you are banned from posting here',
  '/pow': 'pow: difficulty 12 is less than 30',
  '/restricted': 'restricted: not allowed to write.',
  '/limited': 'rate-limited: slow down there chief',
  '/broken': 'error: could not connect to the database',
  '/muted': 'mute: no one was listening',
}
/** The relay that accepts events only from authenticated users. */
const authPath = '/auth'
/** The relay that ignores deletion requests. */
const keepingPath = '/keeps'

/** The fields of a filter; those of tags are `#` and the letter of a tag (NIP-01). */
const Filter = z.looseObject({
  ids: z.optional(z.array(z.string())),
  authors: z.optional(z.array(z.string())),
  kinds: z.optional(z.array(z.int())),
  since: z.optional(z.int()),
  until: z.optional(z.int()),
  limit: z.optional(z.int()),
})
type Filter = z.infer<typeof Filter>

/** The tags that a filter requires; undefined if no relay supports it. */
function tagsIn(filter: Filter): [tag: string, values: readonly unknown[]][] | undefined {
  const others = Object.entries(filter).filter(([name]) => !Object.hasOwn(Filter.shape, name))
  const read = others.map(([name, values]): [string, readonly unknown[]] | undefined =>
    /^#[a-zA-Z]$/.test(name) && Array.isArray(values) ? [name.slice(1), values] : undefined,
  )
  return read.every((tag) => tag !== undefined) ? read : undefined
}

const Sent = z.tuple([z.string(), z.looseObject({ id: z.string() })])
const ReqFrame = z.tuple([z.enum(['REQ', 'COUNT']), z.string().check(z.minLength(1), z.maxLength(64))], Filter)

const read = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const matches = ({ ids, authors, kinds, since, until, ...more }: Filter, event: StoredEvent) =>
  (tagsIn(more)?.every(([tag, values]) => event.tags.some(([name, value]) => name === tag && values.includes(value))) ??
    false) &&
  (ids?.includes(event.id) ?? true) &&
  (authors?.includes(event.pubkey) ?? true) &&
  (kinds?.includes(event.kind) ?? true) &&
  event.created_at >= (since ?? 0) &&
  event.created_at <= (until ?? Number.POSITIVE_INFINITY)

/** An event at the relay of a path; `*` is every relay. */
interface StoredAt {
  path: string
  event: StoredEvent
  receivedAt: number
}

/** Relays at each path of the stand-in's address: each one checks, stores, and sends its events. */
export function openRelay({ clock, keep, url, listing }: SimulatorContext) {
  const events = keep<StoredAt>('events')
  const deleted = keep<string>('deleted')
  /** Who has logged in, and the challenge, by connection. */
  const challenges = new Map<string, string>()
  const logins = new Map<string, string>()
  const nowSeconds = () => Math.floor(clock.now() / 1000)

  const assertLoggedIn = ({ path, connection = '' }: Call) => {
    if (path === authPath && !logins.has(connection)) refuse(401, 'auth-required: we only serve registered users')
  }
  const store = (path: string, event: StoredEvent) =>
    events.set(`${path} ${event.id}`, { path, event, receivedAt: clock.now() })

  function accepted(call: Call): StoredEvent {
    const [, sent] = z.safeParse(Sent, read(String(call.body))).data ?? []
    const event = z.safeParse(StoredEvent, sent).data ?? refuse(400, 'invalid: this is no event')
    if (JSON.stringify(event).length > maxEventBytes)
      refuse(400, `invalid: event too large: ${JSON.stringify(event).length}`)
    const forged = forgedBecause(event)
    if (forged !== undefined) refuse(400, forged)
    return event
  }
  const stored = (event: StoredEvent, note = ''): Answer => ({ status: 200, body: [['OK', event.id, true, note]] })

  function give(call: Call): Answer {
    const event = accepted(call)
    const { path } = call
    assertLoggedIn(call)
    if (event.created_at > nowSeconds() + newestSeconds) refuse(400, 'invalid: created_at too late')
    const refusal = refusing[path]
    if (refusal !== undefined) refuse(403, refusal)
    if (deleted.get(`${path} ${event.id}`) !== undefined) refuse(403, 'blocked: deleted by its author')
    if (events.get(`${path} ${event.id}`) !== undefined) return stored(event, 'duplicate: have this event')
    store(path, event)
    return stored(event)
  }
  function remove(call: Call): Answer {
    const answer = give(call)
    const event = accepted(call)
    const { path } = call
    for (const [name, id = ''] of path === keepingPath ? [] : event.tags) {
      if (name !== 'e' || events.get(`${path} ${id}`)?.event.pubkey !== event.pubkey) continue
      events.delete(`${path} ${id}`)
      deleted.set(`${path} ${id}`, event.id)
    }
    return answer
  }
  function ask(call: Call): Answer {
    const { key, matching } = query(call)
    return { status: 200, body: [...matching.map((event) => ['EVENT', key, event]), ['EOSE', key]] }
  }
  /** How many there are, each once (NIP-45). */
  function count(call: Call): Answer {
    const { key, matching } = query(call)
    return { status: 200, body: [['COUNT', key, { count: new Set(matching.map(({ id }) => id)).size }]] }
  }
  function query(call: Call) {
    assertLoggedIn(call)
    const [, key, ...filters] =
      z.safeParse(ReqFrame, read(String(call.body))).data ?? refuse(400, 'invalid: bad filter')
    if (filters.some((filter) => tagsIn(filter) === undefined)) refuse(400, 'unsupported: unknown field of a filter')
    const own = [...profiles(), ...events.values()].filter(({ path }) => path === call.path || path === '*')
    const matching = filters.flatMap((filter) => {
      const all = own.map(({ event }) => event).filter((event) => matches(filter, event))
      const newest = all.toSorted((a, b) => b.created_at - a.created_at || a.id.localeCompare(b.id))
      return newest.slice(0, Math.min(filter.limit ?? maxEvents, maxEvents, listing.maxOnPage))
    })
    return { key, matching }
  }
  /** The relay's description of itself (NIP-11). */
  const describe = (): Answer => ({
    status: 200,
    headers: { 'content-type': 'application/nostr+json', 'access-control-allow-origin': '*' },
    body: {
      name: 'Local relay',
      description: 'Keeps notes on this machine.',
      software: 'stand-in',
      version: '1',
      supported_nips: [1, 9, 11, 42, 45],
      limitation: { max_message_length: 2 * maxEventBytes, max_limit: maxEvents, max_subid_length: 64 },
    },
  })
  function logIn(call: Call): Answer {
    const event = accepted(call)
    const { connection = '' } = call
    const valueIn = (name: string) => event.tags.find(([tag]) => tag === name)?.[1]
    const isOurs = URL.parse(valueIn('relay') ?? '')?.host === new URL(url).host
    if (event.kind !== 22_242 || !isOurs || valueIn('challenge') !== challenges.get(connection))
      refuse(403, 'restricted: the login is not for this relay')
    if (Math.abs(event.created_at - nowSeconds()) > 600) refuse(403, 'restricted: the login is old')
    logins.set(connection, event.pubkey)
    return stored(event)
  }

  /** The seeded people have a profile at every relay. */
  const profiles = (): StoredAt[] =>
    nostrSeed.people.map((person) => {
      const content = JSON.stringify({ name: person.name, picture: faceUrl({ url }, person.name) })
      return { path: '*', event: write(person, { kind: 0, created_at: 1_700_000_000, content }), receivedAt: 0 }
    })

  const path = '/*'
  const routes: Route[] = [
    { method: 'WS EVENT 1', path, operation: 'create', answer: give },
    { method: 'WS EVENT 5', path, operation: 'delete', answer: remove },
    { method: 'WS EVENT', path, operation: 'event', answer: give },
    { method: 'WS REQ', path, operation: 'read', answer: ask },
    { method: 'WS COUNT', path, operation: 'count', answer: count },
    {
      method: 'GET',
      path,
      operation: 'information',
      when: ({ accept }) => accept?.includes('application/nostr+json') === true,
      answer: describe,
    },
    { method: 'WS AUTH', path, operation: 'auth', answer: logIn },
  ]
  const Kind = z.tuple([z.literal('EVENT'), z.looseObject({ kind: z.literal([1, 5]) })])
  const Refusal = z.object({ refusal: z.string() })
  const sockets: Sockets = {
    open(connection) {
      const challenge = randomBytes(8).toString('hex')
      challenges.set(connection, challenge)
      return [JSON.stringify(['AUTH', challenge])]
    },
    methodOf(message) {
      const frame = read(message)
      const kind = z.safeParse(Kind, frame).data?.[1].kind
      if (kind !== undefined) return `WS EVENT ${kind}`
      return `WS ${Array.isArray(frame) ? String(frame[0]) : ''}`
    },
    framesOf(message, { body }) {
      const { refusal } = z.safeParse(Refusal, body).data ?? {}
      if (refusal === undefined) return Array.isArray(body) ? body.map((frame) => JSON.stringify(frame)) : undefined
      const frame = read(message)
      const [verb, about] = Array.isArray(frame) ? frame : []
      if (verb === 'REQ' || verb === 'COUNT') return [JSON.stringify(['CLOSED', about, refusal])]
      const id = z.safeParse(Sent, frame).data?.[1].id
      return [JSON.stringify(id === undefined ? ['NOTICE', refusal] : ['OK', id, false, refusal])]
    },
  }
  return {
    routes,
    sockets,
    /** The posts, each once, whichever relays have it. */
    posts: () => {
      const posts = events.values().filter(({ event }) => event.kind === 1)
      return [...new Map(posts.toReversed().map((post) => [post.event.id, post])).values()].toReversed()
    },
    other(publicKey: string, content: string) {
      const person = personOf(publicKey)
      if (person === undefined) throw new Error(`Nobody has the key ${publicKey}`)
      store('/', write(person, { kind: 1, created_at: nowSeconds(), content }))
    },
  }
}
