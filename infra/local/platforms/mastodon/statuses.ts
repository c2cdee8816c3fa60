import { hourMs, minuteMs } from '../../../../shared/time.ts'
import type { Answer } from '../../pages/server.ts'
import { pageOf } from '../page-of.ts'
import type { Call, PublicPost, Route, SimulatorContext } from '../standin.ts'
import { htmlOf } from './html.ts'
import type { openMedia } from './media.ts'
import { readParams } from './read-params.ts'
import { refuse } from './refuse.ts'
import { openScheduled } from './scheduled.ts'
import { type MastodonPerson, mastodonSeed } from './seed.ts'
import { showAccount } from './show.ts'
import { assertPoll, assertText, CreateInput, EditInput, type Poll } from './status-input.ts'

export interface StoredStatus {
  id: string
  owner: string
  text: string
  spoilerText: string
  isSensitive: boolean
  visibility: string
  language: string
  mediaIds: string[]
  poll?: Poll
  replyTo: string | null
  /** The post that it quotes. */
  quoted?: string
  /** Who may quote it. */
  quotePolicy?: string
  application: string | null
  createdAtMs: number
  editedAtMs?: number
}

/** Keys are remembered so long (Mastodon API, statuses, Idempotency-Key). */
const keyMs = hourMs

type MadeStatus = Omit<StoredStatus, 'id' | 'createdAtMs'>

const [first] = mastodonSeed.people
const personOf = (id: string): MastodonPerson => mastodonSeed.people.find((person) => person.id === id) ?? first

/** Who may quote a post: everyone if it is public and nothing is set. */
const approvals = (policy = 'public') => (policy === 'nobody' ? [] : [policy])

/** Posts: made once per key, listed newest first, edited, deleted. */
export function openStatuses(
  context: SimulatorContext,
  ownerOf: (call: Call, scope: string) => MastodonPerson,
  appNameOf: (call: Call) => string | null,
  media: ReturnType<typeof openMedia>,
) {
  const { clock, keep, listing } = context
  const statuses = keep<StoredStatus>('statuses')
  const keys = keep<{ id: string; atMs: number }>('keys')
  const scheduled = openScheduled<MadeStatus>(context, ownerOf, add, media.show)

  /** Ids are times in milliseconds with 16 more bits. */
  function nextId(): string {
    const last = statuses.values().reduce((largest, { id }) => (BigInt(id) > largest ? BigInt(id) : largest), 0n)
    const now = BigInt(clock.now()) << 16n
    return String(now > last ? now : last + 1n)
  }
  function create(call: Call): Answer {
    const owner = ownerOf(call, 'write:statuses')
    const key = `${owner.id}:${call.headers['idempotency-key'] ?? ''}`
    const known = keys.get(key)
    const isRecent = known !== undefined && known.atMs + keyMs > clock.now() && !key.endsWith(':')
    const earlier = isRecent ? statuses.get(known.id) : undefined
    if (earlier !== undefined) return { status: 200, body: show(earlier) }
    const waiting = isRecent ? scheduled.find(known.id) : undefined
    if (waiting !== undefined) return { status: 200, body: waiting }

    const sent = readParams(CreateInput, call)
    const made = { ...checked(owner.id, sent), owner: owner.id, application: appNameOf(call) }
    const { scheduled_at: at } = sent
    const body = at === undefined ? show(add(made, clock.now())) : scheduled.add(made, sent, Date.parse(at))
    keys.set(key, { id: String(body['id']), atMs: clock.now() })
    return { status: 200, body }
  }
  /** The parts of a post, after every check that a server makes. */
  function checked(owner: string, sent: CreateInput) {
    const { status: text = '', media_ids: mediaIds = [], poll, spoiler_text: spoilerText = '' } = sent
    const { in_reply_to_id: replyTo = null, quoted_status_id: quoted, quote_approval_policy: quotePolicy } = sent
    if (replyTo !== null && statuses.get(replyTo) === undefined) {
      refuse(404, 'The post you are trying to reply to does not appear to exist.')
    }
    if (quoted !== undefined && statuses.get(quoted) === undefined) {
      refuse(404, 'The post you are trying to quote does not appear to exist.')
    }
    if (quoted !== undefined && mediaIds.length > 0) refuse(422, 'Cannot attach files to a post with a quote')
    if (poll !== undefined) assertPoll(poll, mediaIds)
    assertText(text, spoilerText, mediaIds.length)
    if (sent.scheduled_at !== undefined) scheduled.assertLater(Date.parse(sent.scheduled_at))
    media.take(owner, mediaIds)
    return {
      text: text.trim(),
      spoilerText,
      isSensitive: sent.sensitive ?? spoilerText !== '',
      visibility: sent.visibility ?? 'public',
      language: sent.language ?? 'en',
      mediaIds,
      replyTo,
      ...(poll === undefined ? {} : { poll }),
      ...(quoted === undefined ? {} : { quoted }),
      ...(quotePolicy === undefined ? {} : { quotePolicy }),
    }
  }
  function add(made: MadeStatus, createdAtMs: number): StoredStatus {
    const status = { id: nextId(), ...made, createdAtMs }
    statuses.set(status.id, status)
    return status
  }
  /** A post by another app of the owner. */
  function other(owner: string, text: string): void {
    const shown = { spoilerText: '', isSensitive: false, visibility: 'public', language: 'en', mediaIds: [] }
    add({ owner, text, ...shown, replyTo: null, application: 'Elsewhere' }, clock.now())
  }
  function own(call: Call, scope: string): StoredStatus {
    const owner = ownerOf(call, scope)
    const status = statuses.get(call.params['id'] ?? '')
    return status?.owner === owner.id ? status : refuse(404, 'Record not found')
  }
  function list(call: Call): Answer {
    ownerOf(call, 'read:statuses')
    const limit = Math.min(40, Number(call.query.get('limit') ?? 20))
    const before = call.query.get('max_id')
    const matching = statuses
      .values()
      .filter(({ id, owner }) => owner === call.params['id'] && (before === null || BigInt(id) < BigInt(before)))
      .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1))
    return { status: 200, body: pageOf(listing, matching, 0, limit).items.map(show) }
  }
  /** The posts that it replies to, and the replies to it, each in order (Mastodon API, statuses, View post context). */
  function thread(call: Call): Answer {
    const status = own(call, 'read:statuses')
    const above = (id: string | null): StoredStatus[] => {
      const answered = statuses.get(id ?? '')
      return answered === undefined ? [] : [...above(answered.replyTo), answered]
    }
    const below = (id: string): StoredStatus[] =>
      statuses.values().flatMap((reply) => (reply.replyTo === id ? [reply, ...below(reply.id)] : []))
    const body = { ancestors: above(status.replyTo).map(show), descendants: below(status.id).map(show) }
    return { status: 200, body }
  }
  function source(call: Call): Answer {
    const { id, text, spoilerText } = own(call, 'read:statuses')
    return { status: 200, body: { id, text, spoiler_text: spoilerText } }
  }
  function remove(call: Call): Answer {
    const status = own(call, 'write:statuses')
    statuses.delete(status.id)
    return { status: 200, body: { ...show(status), text: status.text } }
  }
  /** An edit removes everything that it does not name. */
  function edit(call: Call): Answer {
    const status = own(call, 'write:statuses')
    const { status: text = '', media_ids: mediaIds = [], ...sent } = readParams(EditInput, call)
    assertText(text, sent.spoiler_text ?? '', mediaIds.length)
    const { poll: _, ...others } = status
    const edited: StoredStatus = {
      ...others,
      text: text.trim(),
      spoilerText: sent.spoiler_text ?? '',
      isSensitive: sent.sensitive ?? false,
      language: sent.language ?? status.language,
      mediaIds: mediaIds.filter((id) => status.mediaIds.includes(id)),
      editedAtMs: clock.now(),
    }
    statuses.set(edited.id, edited)
    return { status: 200, body: show(edited) }
  }

  const urlOf = ({ owner, id }: Pick<StoredStatus, 'owner' | 'id'>) =>
    `https://${mastodonSeed.server}/@${personOf(owner).username}/${id}`

  function show(status: StoredStatus): Record<string, unknown> {
    const { username } = personOf(status.owner)
    return {
      id: status.id,
      created_at: new Date(status.createdAtMs).toISOString(),
      edited_at: status.editedAtMs === undefined ? null : new Date(status.editedAtMs).toISOString(),
      in_reply_to_id: status.replyTo,
      sensitive: status.isSensitive,
      spoiler_text: status.spoilerText,
      visibility: status.visibility,
      language: status.language,
      uri: `https://${mastodonSeed.server}/users/${username}/statuses/${status.id}`,
      url: urlOf(status),
      content: status.text === '' ? '' : htmlOf(status.text),
      reblog: null,
      application: status.application === null ? null : { name: status.application, website: null },
      account: showAccount(personOf(status.owner)),
      media_attachments: media.show(status.mediaIds),
      mentions: [],
      tags: [],
      emojis: [],
      replies_count: 0,
      reblogs_count: 0,
      favourites_count: 0,
      poll: status.poll === undefined ? null : showPoll(status, status.poll),
      card: null,
      quote: showQuote(status),
      quote_approval: { automatic: approvals(status.quotePolicy), manual: [], current_user: 'automatic' },
      favourited: false,
      reblogged: false,
      muted: false,
      bookmarked: false,
    }
  }
  /** Within a post that quotes it, a post has no nested quote. */
  function showQuote({ quoted }: StoredStatus) {
    if (quoted === undefined) return null
    const status = statuses.get(quoted)
    if (status === undefined) return { state: 'deleted', quoted_status: null }
    const { quoted: _, ...rest } = status
    return { state: 'accepted', quoted_status: show(rest) }
  }
  /** No one has voted yet. */
  function showPoll({ id, createdAtMs }: StoredStatus, { options, expires_in, multiple }: Poll) {
    const endsAtMs = createdAtMs + expires_in * 1000
    return {
      id,
      multiple: multiple ?? false,
      options: options.map((title) => ({ title, votes_count: 0 })),
      expires_at: new Date(endsAtMs).toISOString(),
      expired: endsAtMs <= clock.now(),
      votes_count: 0,
      emojis: [],
    }
  }
  function toPublicPost(status: StoredStatus): PublicPost {
    const { spoilerText, isSensitive, visibility, language, poll, replyTo } = status
    const answered = replyTo === null ? undefined : statuses.get(replyTo)
    const original = statuses.get(status.quoted ?? '')
    return {
      account: `@${personOf(status.owner).username}@${mastodonSeed.domain}`,
      text: status.text,
      media: media.toPublic(status.mediaIds),
      replyTo: answered === undefined ? null : urlOf(answered),
      url: urlOf(status),
      publishedAt: status.createdAtMs,
      extras: [
        ...(spoilerText === '' ? [] : [`warning: ${spoilerText}`]),
        ...(isSensitive ? ['sensitive'] : []),
        ...(visibility === 'public' ? [] : [visibility]),
        ...(language === 'en' ? [] : [`language: ${language}`]),
        ...(original === undefined ? [] : [`quotes ${urlOf(original)}`]),
        ...(poll === undefined
          ? []
          : [`poll: ${poll.options.join(' | ')} (${poll.expires_in / (minuteMs / 1000)} min)`]),
      ],
    }
  }
  const at = '/api/v1/statuses'
  const routes: Route[] = [
    { method: 'POST', path: at, operation: 'create', answer: create },
    {
      method: 'GET',
      path: `${at}/:id`,
      operation: 'status',
      answer: (call) => ({ status: 200, body: show(own(call, 'read:statuses')) }),
    },
    { method: 'GET', path: `${at}/:id/context`, operation: 'context', answer: thread },
    { method: 'GET', path: `${at}/:id/source`, operation: 'source', answer: source },
    { method: 'PUT', path: `${at}/:id`, operation: 'edit', answer: edit },
    { method: 'DELETE', path: `${at}/:id`, operation: 'delete', answer: remove },
    { method: 'GET', path: '/api/v1/accounts/:id/statuses', operation: 'read', answer: list },
  ]
  const settled = (route: Route): Route => ({
    ...route,
    answer(call) {
      scheduled.settle()
      return route.answer(call)
    },
  })
  return {
    routes: [...routes, ...scheduled.routes].map(settled),
    other,
    posts() {
      scheduled.settle()
      return statuses.values().map(toPublicPost)
    },
  }
}
