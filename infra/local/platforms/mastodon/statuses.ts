import * as z from 'zod/mini'
import { hourMs, minuteMs } from '../../../../shared/time.ts'
import type { Answer } from '../../pages/server.ts'
import { pageOf } from '../page-of.ts'
import { type Call, type PublicPost, parseJson, type Route, type SimulatorContext } from '../standin.ts'
import { htmlOf } from './html.ts'
import type { openMedia } from './media.ts'
import { refuse } from './refuse.ts'
import { type MastodonPerson, mastodonSeed } from './seed.ts'
import { showAccount } from './show.ts'

const Poll = z.object({
  options: z.array(z.string()),
  expires_in: z.int(),
  multiple: z.optional(z.boolean()),
  hide_totals: z.optional(z.boolean()),
})

/** What a post is made of (Mastodon API, statuses, Post a new status); `direct` is a message. */
const Create = z.strictObject({
  status: z.optional(z.string()),
  media_ids: z.optional(z.array(z.string())),
  poll: z.optional(Poll),
  in_reply_to_id: z.optional(z.string()),
  sensitive: z.optional(z.boolean()),
  spoiler_text: z.optional(z.string()),
  visibility: z.optional(z.enum(['public', 'unlisted', 'private', 'direct'])),
  language: z.optional(z.string()),
})
const Edit = z.strictObject({
  status: z.optional(z.string()),
  media_ids: z.optional(z.array(z.string())),
  sensitive: z.optional(z.boolean()),
  spoiler_text: z.optional(z.string()),
  language: z.optional(z.string()),
})

export interface StoredStatus {
  id: string
  owner: string
  text: string
  spoilerText: string
  isSensitive: boolean
  visibility: string
  language: string
  mediaIds: string[]
  poll?: z.infer<typeof Poll>
  replyTo: string | null
  application: string | null
  createdAtMs: number
  editedAtMs?: number
}

const maxCharacters = 500
/** Keys are remembered so long (Mastodon API, statuses, Idempotency-Key). */
const keyMs = hourMs

const [first] = mastodonSeed.people
const personOf = (id: string): MastodonPerson => mastodonSeed.people.find((person) => person.id === id) ?? first

/** What a server counts, by words: a link is 23 characters, a name at another server its name. */
const lengthOf = (text: string) => {
  const counted = text
    .split(/(\s)/)
    .map((word) => (/^https?:\/\/\S+\.\S+$/.test(word) ? 'x'.repeat(23) : word.replace(/^@(\w+)@[\w.]+$/, '@$1')))
    .join('')
  return [...new Intl.Segmenter('en').segment(counted)].length
}

function assertPoll({ options, expires_in: seconds }: z.infer<typeof Poll>, mediaIds: readonly string[]): void {
  const no = (message: string) => refuse(422, `Validation failed: ${message}`)
  if (mediaIds.length > 0) refuse(422, 'Cannot attach files to a post with a poll')
  if (options.length < 2 || options.length > 4) no('Options must be 2 to 4')
  if (options.some((option) => [...option].length > 50)) no('Options has a choice that is longer than 50 characters')
  if (new Set(options).size < options.length) no('Options contain duplicate items')
  if (seconds < 5 * 60 || seconds > 2_629_746) no('Expires at is too soon or too far into the future')
}

function readBody<T>(schema: z.ZodMiniType<T>, call: Call): T {
  const body = z.safeParse(
    schema,
    parseJson(call.body, () => refuse(400, 'The body is not JSON')),
  )
  return body.data ?? refuse(422, `Validation failed: ${body.error?.issues[0]?.path.join('.')} is invalid`)
}

/** Posts: made once per key, listed newest first, edited, deleted. */
export function openStatuses(
  { clock, keep, listing }: SimulatorContext,
  ownerOf: (call: Call, scope: string) => MastodonPerson,
  appNameOf: (call: Call) => string | null,
  media: ReturnType<typeof openMedia>,
) {
  const statuses = keep<StoredStatus>('statuses')
  const keys = keep<{ id: string; atMs: number }>('keys')

  /** Ids are times in milliseconds with 16 more bits. */
  function nextId(): string {
    const last = statuses.values().reduce((largest, { id }) => (BigInt(id) > largest ? BigInt(id) : largest), 0n)
    const now = BigInt(clock.now()) << 16n
    return String(now > last ? now : last + 1n)
  }
  function assertText(text: string, spoilerText: string, files: number): void {
    if (text.trim() === '' && files === 0) refuse(422, "Validation failed: Text can't be blank")
    if ([...spoilerText].length + lengthOf(text) > maxCharacters) {
      refuse(422, `Validation failed: Text character limit of ${maxCharacters} exceeded`)
    }
  }
  function create(call: Call): Answer {
    const owner = ownerOf(call, 'write:statuses')
    const key = `${owner.id}:${call.headers['idempotency-key'] ?? ''}`
    const known = keys.get(key)
    const earlier = known && known.atMs + keyMs > clock.now() ? statuses.get(known.id) : undefined
    if (earlier !== undefined && !key.endsWith(':')) return { status: 200, body: show(earlier) }

    const sent = readBody(Create, call)
    const { status: text = '', media_ids: mediaIds = [], poll, spoiler_text: spoilerText = '' } = sent
    const replyTo = sent.in_reply_to_id ?? null
    if (replyTo !== null && statuses.get(replyTo) === undefined) {
      refuse(404, 'The post you are trying to reply to does not appear to exist.')
    }
    if (poll !== undefined) assertPoll(poll, mediaIds)
    assertText(text, spoilerText, mediaIds.length)
    media.take(owner.id, mediaIds)
    const status: StoredStatus = {
      id: nextId(),
      owner: owner.id,
      text: text.trim(),
      spoilerText,
      isSensitive: sent.sensitive ?? spoilerText !== '',
      visibility: sent.visibility ?? 'public',
      language: sent.language ?? 'en',
      mediaIds,
      ...(poll === undefined ? {} : { poll }),
      replyTo,
      application: appNameOf(call),
      createdAtMs: clock.now(),
    }
    statuses.set(status.id, status)
    keys.set(key, { id: status.id, atMs: clock.now() })
    return { status: 200, body: show(status) }
  }
  /** A post by another app of the owner. */
  function other(owner: string, text: string): void {
    const id = nextId()
    statuses.set(id, {
      ...{ id, owner, text, spoilerText: '', isSensitive: false, visibility: 'public', language: 'en', mediaIds: [] },
      ...{ replyTo: null, application: 'Elsewhere', createdAtMs: clock.now() },
    })
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
  function source(call: Call): Answer {
    const { id, text, spoilerText } = own(call, 'read:statuses')
    return { status: 200, body: { id, text, spoiler_text: spoilerText } }
  }
  function remove(call: Call): Answer {
    const status = own(call, 'write:statuses')
    statuses.delete(status.id)
    return { status: 200, body: { ...show(status), text: status.text } }
  }
  /** What an edit does not name is taken away. */
  function edit(call: Call): Answer {
    const status = own(call, 'write:statuses')
    const { status: text = '', media_ids: mediaIds = [], ...sent } = readBody(Edit, call)
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
      ...{ replies_count: 0, reblogs_count: 0, favourites_count: 0 },
      poll: status.poll === undefined ? null : showPoll(status, status.poll),
    }
  }
  /** Nobody has voted yet. */
  function showPoll({ id, createdAtMs }: StoredStatus, { options, expires_in, multiple }: z.infer<typeof Poll>) {
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
    { method: 'GET', path: `${at}/:id/source`, operation: 'source', answer: source },
    { method: 'PUT', path: `${at}/:id`, operation: 'edit', answer: edit },
    { method: 'DELETE', path: `${at}/:id`, operation: 'delete', answer: remove },
    { method: 'GET', path: '/api/v1/accounts/:id/statuses', operation: 'read', answer: list },
  ]
  return { routes, other, posts: () => statuses.values().map(toPublicPost) }
}
