import * as z from 'zod/mini'
import { hourMs } from '../../time.ts'
import type {
  PlatformAdapter,
  PlatformCall,
  Prepared,
  PreparedRef,
  ProbeResult,
  UnconfirmedAttempt,
} from '../adapter.ts'
import { lookBack, pageMs, windowOf } from '../look-back.ts'
import { classified, commonErrors, PlatformError } from '../platform-error.ts'
import type { OutgoingPost, PublishedPost } from '../post.ts'
import { edited, removed } from '../removal.ts'
import { appName, callMastodon } from './api.ts'
import { definition, MastodonMetadata } from './definition.ts'
import { prepareMedia } from './media.ts'
import { isWithin, lettersOf, plainText, shownText } from './text.ts'

/** Servers drop a file that no post shows after a day (Mastodon source, media vacuum, 2026-11-26). */
const preparedMs = 12 * hourMs

/** A post without its parent. A probe also looks for this, whatever the post has become since. */
const Ready = z.object({ text: z.string(), mediaIds: z.array(z.string()) })

/** Uploads the files; publishes nothing. */
const prepare = async (call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared> => {
  const { ctx, post } = call
  const done = post.media.length === 0 ? { mediaIds: [] } : await prepareMedia(call, resume)
  if ('resume' in done) return done
  return { ready: { text: post.text, mediaIds: done.mediaIds }, expiresAtMs: ctx.clock.now() + preparedMs }
}

/** The fields of a post other than its text and files. An absent field has the default of the account. */
const fieldsOf = ({ metadata, replyTo }: Pick<OutgoingPost, 'metadata' | 'replyTo'>) => {
  const { visibility, spoilerText, isSensitive, language, poll } = z.parse(MastodonMetadata, metadata ?? {})
  return {
    ...(visibility === undefined ? {} : { visibility }),
    ...(spoilerText === undefined ? {} : { spoiler_text: spoilerText }),
    ...(isSensitive === undefined ? {} : { sensitive: isSensitive }),
    ...(language === undefined ? {} : { language }),
    ...(replyTo === undefined ? {} : { in_reply_to_id: replyTo }),
    ...(poll === undefined
      ? {}
      : {
          poll: {
            options: poll.options,
            expires_in: poll.durationSeconds,
            multiple: poll.isMultiple ?? false,
            hide_totals: poll.hidesTotals ?? false,
          },
        }),
  }
}

const Status = z.object({ id: z.string(), url: z.nullish(z.string()) })

const landed = ({ id, url }: z.infer<typeof Status>): PublishedPost => ({ id, url: url ?? null })

/**
 * Publishes the post. Mastodon remembers the key for an hour, other servers ignore it: a repeat is harmless only if it is
 * known that the first call created nothing.
 */
const commit = async ({ ctx, account, post }: PlatformCall, ref: PreparedRef, clientKey: string) => {
  const { text, mediaIds } = z.parse(Ready, ref)
  const json = { status: text, ...(mediaIds.length === 0 ? {} : { media_ids: mediaIds }), ...fieldsOf(post) }
  const status = await callMastodon(ctx, account, {
    method: 'POST',
    path: '/api/v1/statuses',
    headers: { 'idempotency-key': clientKey },
    body: { json },
    creates: true,
    reply: Status,
  }).catch((error: unknown) => {
    const isMissing = post.replyTo !== undefined && error instanceof PlatformError && error.info.notFound
    throw isMissing ? classified(definition.name, commonErrors.parentNotShown, error.info) : error
  })
  return landed(status)
}

const Listed = z.extend(Status, {
  created_at: z.string(),
  content: z.string(),
  in_reply_to_id: z.nullish(z.string()),
  media_attachments: z.array(z.unknown()),
  application: z.nullish(z.object({ name: z.nullish(z.string()) })),
})
type Listed = z.infer<typeof Listed>

/** How far the clock of a server and ours may be apart. */
const clockSkewMs = 5_000
/** Most posts that a server lists per request (Mastodon API, accounts, Get account's statuses). */
const pageSize = '40'
/** The most sources that one probe reads: a server allows 300 calls in five minutes. */
const maxSources = 20

/** The known fields of a listed post. */
type Verdict = 'ours' | 'other' | 'maybe'

/** Compares listed posts with one that was sent: by the list itself, and by their sources if their HTML is not conclusive. */
const comparing = (call: PlatformCall, { text, mediaIds }: z.infer<typeof Ready>, fromMs: number) => {
  const { ctx, account, post } = call
  const [ours, letters] = [shownText(text), lettersOf(text)]
  let sources = 0
  const bySource = async (status: string): Promise<Verdict> => {
    sources += 1
    const request = { path: '/api/v1/statuses/{status}/source', params: { status }, totalMs: pageMs }
    const reply = z.object({ text: z.string() })
    const source = await callMastodon(ctx, account, { ...request, reply }).catch((error: unknown) => {
      if (error instanceof PlatformError && error.info.notFound) return undefined
      throw error
    })
    if (source === undefined) return 'maybe'
    // Mastodon trims.
    return source.text.trim() === text.trim() ? 'ours' : 'other'
  }
  return async (status: Listed): Promise<Verdict> => {
    const canBeOurs =
      !(atMs(status) < fromMs) &&
      (status.in_reply_to_id ?? undefined) === post.replyTo &&
      status.media_attachments.length === mediaIds.length &&
      // Its owner sees the app of a post; not every server reports it.
      (status.application?.name ?? appName) === appName
    if (!canBeOurs) return 'other'
    const shown = plainText(status.content)
    if (shown === ours) return 'ours'
    // A server that reads the text as Markdown removes letters, and adds none.
    if (!isWithin(lettersOf(shown), letters)) return 'other'
    return sources < maxSources ? bySource(status.id) : 'maybe'
  }
}

const atMs = ({ created_at: at }: Pick<Listed, 'created_at'>): number => Date.parse(at)

/** Looks for the post among the account's own since the attempt, newest first. */
const probe = async (call: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult> => {
  const { ctx, account } = call
  const { fromMs } = windowOf(attempt, clockSkewMs)
  const verdictOf = comparing(call, z.parse(Ready, attempt.ref), fromMs)
  const seen = await lookBack<Listed & { verdict: Verdict }, string>({
    clock: ctx.clock,
    fromMs,
    async read(before) {
      const statuses = await callMastodon(ctx, account, {
        path: '/api/v1/accounts/{account}/statuses',
        params: { account: String(account.details['accountId']) },
        query: { exclude_reblogs: 'true', limit: pageSize, ...(before === undefined ? {} : { max_id: before }) },
        totalMs: pageMs,
        reply: z.array(Listed),
      })
      const items = []
      for (const status of statuses) items.push({ ...status, verdict: await verdictOf(status) })
      // However short a page is, only an empty one is the end.
      return { items, next: statuses.at(-1)?.id }
    },
    atMs,
    isOurs: ({ verdict }) => verdict === 'ours',
    mayBeOurs: ({ verdict }) => verdict === 'maybe',
  })
  return seen.kind === 'found' ? { kind: 'published', ...landed(seen.items[0]) } : seen
}

const isGone = ({ notFound }: PlatformError['info']) => notFound === true

/** Deletes the post (Mastodon API, statuses, Delete a status). */
const remove = ({ ctx, account }: PlatformCall, status: string): Promise<void> => {
  const request = { path: '/api/v1/statuses/{status}', params: { status }, reply: z.unknown() }
  return removed(callMastodon(ctx, account, { ...request, method: 'DELETE' }), isGone)
}

const Editable = z.object({
  spoiler_text: z.string(),
  sensitive: z.boolean(),
  language: z.nullish(z.string()),
  media_attachments: z.array(z.object({ id: z.string() })),
})

/**
 * Changes the text of the post. An edit removes everything that it does not name, so it names everything that stays
 * (Mastodon API, statuses, Edit a status; Mastodon source, UpdateStatusService).
 */
const edit = ({ ctx, account, post }: PlatformCall, status: string): Promise<void> => {
  const request = { path: '/api/v1/statuses/{status}', params: { status } }
  const change = async () => {
    const now = await callMastodon(ctx, account, { ...request, reply: Editable })
    const json = {
      status: post.text,
      media_ids: now.media_attachments.map(({ id }) => id),
      spoiler_text: now.spoiler_text,
      sensitive: now.sensitive,
      ...(now.language ? { language: now.language } : {}),
    }
    await callMastodon(ctx, account, { ...request, method: 'PUT', body: { json }, reply: z.unknown() })
  }
  return edited(change(), definition.name, isGone)
}

/** Mastodon: a lost post is searched among the account's posts. */
export const mastodon: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'probe',
  readLagSeconds: 120,
  prepare,
  commit,
  findsByContent: ({ text }) => text !== '',
  commentCalls: 'reply',
  remove,
  edit,
  probe,
}
