import * as z from 'zod/mini'
import { hourMs } from '../../time.ts'
import type {
  KeyedPost,
  PlatformAdapter,
  PlatformCall,
  Prepared,
  PreparedRef,
  ProbeResult,
  UnconfirmedAttempt,
} from '../adapter.ts'
import { windowOf } from '../look-back.ts'
import {
  type Classification,
  classified,
  commonErrors,
  type ErrorClass,
  type PlatformError,
} from '../platform-error.ts'
import type { PublishedPost } from '../post.ts'
import { keysOf } from './account.ts'
import { definition, NostrMetadata } from './definition.ts'
import { classifyRelayRefusal } from './errors.ts'
import { kinds, type SignedEvent, signEvent, type Tag } from './event.ts'
import { type Named, neventOf, readEventName } from './keys.ts'
import { uploadMedia } from './media.ts'
import { type Filter, RelayFailure, RelayRefusal, withRelay } from './relay.ts'
import { quoteTags, replyTags, tagsOfText, uniqueTags } from './tags.ts'

/** Media servers may drop a file that is not loaded; none documents when. */
const preparedMs = 12 * hourMs
/** How long the other relays may still take once one has the post. */
const graceMs = 2_000
/** The most relays of a link that are queried in addition to those of the account. */
const maxLinkRelays = 3

/** The response of one relay to an event. */
type Outcome = { relay: string } & (
  | { kind: 'stored' }
  | { kind: 'refused'; reason: string }
  | { kind: 'silent'; reason: string; isSent: boolean }
)

/** Sends an event to all relays of the account in parallel: one call, whose effect is one post. */
const giveToAll = ({ ctx, account }: PlatformCall, event: SignedEvent): Promise<readonly Outcome[]> => {
  const { relays, secretKey } = keysOf(account)
  const enough = new AbortController()
  let grace: NodeJS.Timeout | undefined
  const giveTo = async (relay: string): Promise<Outcome> => {
    try {
      const options = { address: relay, secretKey, signal: enough.signal }
      const reason = await withRelay(ctx, options, ({ give }) => give(event))
      if (reason !== undefined) return { relay, kind: 'refused', reason }
      grace ??= setTimeout(() => enough.abort(), graceMs)
      return { relay, kind: 'stored' }
    } catch (error) {
      if (error instanceof RelayFailure) return { relay, kind: 'silent', reason: error.message, isSent: error.sent }
      throw error
    }
  }
  const effect = { service: definition.id, action: `EVENT ${event.kind}`, resource: relays.join(' ') }
  return ctx.observe(effect, () => Promise.all(relays.map(giveTo))).finally(() => clearTimeout(grace))
}

const classifyOutcome = (outcome: Exclude<Outcome, { kind: 'stored' }>): PlatformError => {
  const { relay, reason } = outcome
  if (outcome.kind === 'refused') return classifyRelayRefusal(reason)
  return classified(definition.name, outcome.isSent ? commonErrors.mayBeLive : commonErrors.unreachable, {
    detail: `${relay} ${reason}`,
  })
}

/** Which error of several relays counts: one after which the post may be live, then one that another try may resolve. */
const precedence: readonly ErrorClass[] = ['unknown', 'rate', 'transient', 'blocked', 'invalid']

/** Throws unless a relay has the event. */
const assertStored = (outcomes: readonly Outcome[], action: string): void => {
  if (outcomes.some(({ kind }) => kind === 'stored')) return
  const errors = outcomes.flatMap((outcome) => {
    if (outcome.kind === 'stored') return []
    const error = classifyOutcome(outcome)
    error.info.request = `${action} ${outcome.relay}`
    return [error]
  })
  const [first] = errors.toSorted((a, b) => precedence.indexOf(a.errorClass) - precedence.indexOf(b.errorClass))
  throw first ?? new Error('an account on Nostr has no relays')
}

/** What the author learns about relays that rejected the post while others have it. */
const warningOf = (outcomes: readonly Outcome[]): { warning?: string } => {
  const refused = outcomes.flatMap((outcome) =>
    outcome.kind === 'refused' ? [`${outcome.relay} (${outcome.reason})`] : [],
  )
  return refused.length === 0 ? {} : { warning: `Relays that did not take the post: ${refused.join(', ')}.` }
}

interface Read {
  events: readonly SignedEvent[]
  /** Whether every relay returned everything that it has. */
  isWhole: boolean
}

/** Reads events from all relays of the account, and those that a link names. */
const readFromAll = async (
  { ctx, account }: PlatformCall,
  filter: Filter,
  more: readonly string[] = [],
): Promise<Read> => {
  const { relays, secretKey } = keysOf(account)
  const readFrom = async (address: string) => {
    try {
      return await withRelay(ctx, { address, secretKey }, ({ read }) => read(filter))
    } catch (error) {
      if (error instanceof RelayFailure || error instanceof RelayRefusal) return undefined
      throw error
    }
  }
  const all = [...new Set([...relays, ...more.slice(0, maxLinkRelays)])]
  const effect = { service: definition.id, action: 'REQ', resource: all.join(' ') }
  const answers = await ctx.observe(effect, () => Promise.all(all.map(readFrom)))
  return { events: answers.flatMap((events) => events ?? []), isWhole: !answers.includes(undefined) }
}

/** The prepared event: the text and the tags, without those of a thread, whose parent is not known yet. */
const Ready = z.object({ content: z.string(), tags: z.array(z.array(z.string())) })
/** The same with the tags of a thread, and the earliest time that follows the post before. */
const Built = z.extend(Ready, { after: z.optional(z.number()) })

const otherIsGone: Classification = [
  'invalid',
  'relays do not have the post to reply to. Correct metadata.nostr.replyTo.',
]
const otherIsNoPost: Classification = [
  'invalid',
  'post to reply to is of another kind. Correct metadata.nostr.replyTo.',
]

/** The tags of a reply to a post of anyone. */
const tagsOfReply = async (call: PlatformCall, { id, relays }: Named): Promise<readonly Tag[]> => {
  const { events, isWhole } = await readFromAll(call, { ids: [id] }, relays)
  const parent = events.find((event) => event.id === id)
  if (parent === undefined) throw classified(definition.name, isWhole ? otherIsGone : commonErrors.unreachable)
  // Replies to other kinds are comments of their own kind (NIP-10 and NIP-22).
  if (parent.kind !== kinds.post) throw classified(definition.name, otherIsNoPost)
  return replyTags(parent, relays[0] ?? keysOf(call.account).relays[0] ?? '', call.account.externalId)
}

/** Uploads the files and looks for the parent; the result is the whole event except for its time. */
const prepare = async (call: PlatformCall): Promise<Prepared> => {
  const { ctx, post } = call
  const { contentWarning, replyTo, quote } = z.parse(NostrMetadata, post.metadata ?? {})
  const parent = replyTo === undefined ? undefined : readEventName(replyTo)
  const quoted = quote === undefined ? undefined : readEventName(quote)
  const [files, reply] = await Promise.all([uploadMedia(call), parent === undefined ? [] : tagsOfReply(call, parent)])
  const addresses = [...files.map(({ url }) => url), ...(quoted === undefined ? [] : [`nostr:${neventOf(quoted)}`])]
  const tags = uniqueTags([
    ...reply,
    ...(quoted === undefined ? [] : quoteTags(quoted)),
    ...tagsOfText(post.text),
    ...files.map(({ tag }) => tag),
    ...(contentWarning === undefined ? [] : [['content-warning', contentWarning]]),
  ])
  const ready = { content: [post.text, ...addresses].filter((part) => part !== '').join('\n'), tags }
  return { ready, expiresAtMs: ctx.clock.now() + preparedMs }
}

/** Adds the thread tags of a reply, which the parent names. */
const build = async (call: PlatformCall, ref: PreparedRef): Promise<PreparedRef> => {
  const { replyTo } = call.post
  if (replyTo === undefined) return ref
  const { content, tags } = z.parse(Ready, ref)
  const { events } = await readFromAll(call, { ids: [replyTo] })
  const parent = events.find(({ id }) => id === replyTo)
  if (parent === undefined) throw classified(definition.name, commonErrors.parentNotShown)
  const [relay = ''] = keysOf(call.account).relays
  return {
    content,
    tags: uniqueTags([...tags, ...replyTags(parent, relay, call.account.externalId)]),
    // Apps sort only by time.
    after: parent.created_at + 1,
  }
}

/** The second in an event: that of the post, fixed before the call, so that a repeat is the same event. */
const makeKey = ({ scheduledAtMs }: KeyedPost): string => String(Math.floor(scheduledAtMs / 1000))

/** Posts have no addresses; njump.me shows posts of all relays, and opens the reader's app. */
const landed = ({ account }: PlatformCall, id: string): PublishedPost => {
  const relays = keysOf(account).relays.slice(0, 1)
  return { id, url: `https://njump.me/${neventOf({ id, relays, author: account.externalId })}` }
}

/** The signed post, derived from the built event and the key, so that it is the same each time. */
const eventOf = ({ account }: PlatformCall, key: string, built: unknown): SignedEvent => {
  const { content, tags, after = 0 } = z.parse(Built, built)
  const createdAt = Math.max(Number(key), after)
  return signEvent(keysOf(account).secretKey, { kind: kinds.post, createdAt, tags, content })
}

/** Sends the event to all relays: a relay that already has it keeps it once, so a repeat is harmless (NIP-01, duplicate). */
const commit = async (call: PlatformCall, ref: PreparedRef, key: string, built: unknown): Promise<PublishedPost> => {
  const event = eventOf(call, key, built ?? ref)
  const outcomes = await giveToAll(call, event)
  assertStored(outcomes, `EVENT ${kinds.post}`)
  return { ...landed(call, event.id), ...warningOf(outcomes) }
}

/**
 * So many events are requested per query: if fewer arrive, there are no more. Relays may send twice as many messages
 * (`relayBounds`).
 */
const wholeAnswer = 50

/** Looks for the text among all posts since an attempt whose time and key are unknown. */
const findByText = async (call: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult> => {
  const { content } = z.parse(Ready, attempt.ref)
  const { fromMs, untilMs } = windowOf(attempt, 0)
  const [since, until] = [Math.floor(fromMs / 1000), Math.ceil(untilMs / 1000)]
  const filter = { authors: [call.account.externalId], kinds: [kinds.post], since, until, limit: wholeAnswer }
  const { events, isWhole } = await readFromAll(call, filter)
  const ours = events.find((event) => event.content === content)
  if (ours) return { kind: 'published', ...landed(call, ours.id) }
  return { kind: isWhole && events.length < wholeAnswer ? 'absent' : 'unclear' }
}

/** Queries exactly this event: its ID is derived from the preparation, and its time from the key. */
const probe = async (call: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult> => {
  if (attempt.isRestored) return findByText(call, attempt)
  const { clientKey, ref } = attempt
  const { id } = eventOf(call, clientKey, await build(call, ref))
  const { events, isWhole } = await readFromAll(call, { ids: [id] })
  if (events.some((event) => event.id === id)) return { kind: 'published', ...landed(call, id) }
  return { kind: isWhole ? 'absent' : 'unclear' }
}

const stillShown: Classification = ['transient', 'relays still show the post.']

/** Asks all relays to delete the post (NIP-09), and checks whether they did: nothing obliges them. */
const remove = async (call: PlatformCall, id: string): Promise<void> => {
  const filter = { ids: [id] }
  const createdAt = Math.floor(call.ctx.clock.now() / 1000)
  const tags = [
    ['e', id],
    ['k', String(kinds.post)],
  ]
  const event = signEvent(keysOf(call.account).secretKey, { kind: kinds.deletion, createdAt, tags, content: '' })
  assertStored(await giveToAll(call, event), `EVENT ${kinds.deletion}`)
  const { events, isWhole } = await readFromAll(call, filter)
  if (events.length > 0) throw classified(definition.name, stillShown)
  if (!isWhole) throw classified(definition.name, commonErrors.noClearResponse)
}

/** Nostr: the ID of an event is derived from its content, so that a repeat creates no second post. */
export const nostr: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'key',
  repeatableSeconds: Number.POSITIVE_INFINITY,
  readLagSeconds: 60,
  makeKey,
  prepare,
  build,
  commit,
  // The address of a file is the choice of its server.
  findsByContent: ({ media }) => media.length === 0,
  commentCalls: 'reply',
  remove,
  probe,
}
