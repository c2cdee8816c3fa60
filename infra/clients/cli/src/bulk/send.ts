import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { type Client, type Post, SocialError } from '../../../javascript/src/index.ts'
import type { Cli } from '../cli.ts'
import { assertFile, isInLibrary, uploadFile } from '../upload.ts'
import type { Planned } from './plan.ts'
import type { Entry, Outcome, Report, ReportWriter, SentRow } from './report.ts'

/** How many rows are in flight at the same time. */
const concurrency = 4

/** The service remembers the response to an Idempotency-Key for a day. */
const keyLifeMs = 24 * 60 * 60_000

/** Clocks of this machine and the service differ. */
const clockSkewMs = 10 * 60_000

/** A row whose outcome is still unknown. */
export interface Unknown {
  row: number
  message: string
}

export interface Sending {
  cli: Cli
  client: Client
  report: Pick<Report, 'run' | 'files'>
  writer: ReportWriter
  onOutcome(outcome: Outcome): void
  onUnknown(unknown: Unknown): void
}

/** A definite refusal: nothing was stored. After any other error, the request may have been carried out, or can be retried. */
const isRefused = (error: unknown): error is SocialError =>
  error instanceof SocialError &&
  error.status >= 400 &&
  error.status < 500 &&
  ![401, 403, 408].includes(error.status) &&
  !['rate_limited', 'concurrent_update'].includes(error.code)

/** Every following row would fail in the same way. */
const endsRun = (error: unknown) => error instanceof SocialError && (error.status === 401 || error.status === 403)

const outcomeOf = (sent: SentRow, posts: readonly Pick<Post, 'id'>[], more: Partial<Outcome> = {}): Outcome => ({
  type: 'outcome',
  row: sent.row,
  identity: sent.identity,
  status: 'accepted',
  postIds: posts.map(({ id }) => id),
  ...more,
  at: new Date().toISOString(),
})

/** The posts that a request has already created, found by its external ID, accounts, and time. */
const findPosts = async (client: Client, { body, at }: SentRow, signal: AbortSignal): Promise<Post[]> => {
  const posts: Post[] = []
  for await (const post of client.posts.list.all({ externalId: body.externalId, limit: 200 }, { signal })) {
    const isTime = body.scheduledAt === undefined || body.scheduledAt === post.scheduledAt
    const isSince = Date.parse(post.createdAt) >= Date.parse(at) - clockSkewMs
    if (isTime && isSince && body.socialAccountIds.includes(post.socialAccountId)) posts.push(post)
  }
  return posts
}

const request = async ({ cli, client }: Sending, sent: SentRow): Promise<Post[]> => {
  const options = { signal: cli.stopped, idempotencyKey: sent.key }
  const { scheduledAt, ...body } = sent.body
  return scheduledAt === undefined
    ? client.posts.publishNow(body, options)
    : client.posts.schedule({ ...body, scheduledAt }, options)
}

/** Sends a stored request, and stores its outcome. */
const send = async (sending: Sending, sent: SentRow): Promise<void> => {
  const { writer, onOutcome, onUnknown, cli } = sending
  const settle = (outcome: Outcome) => {
    writer.note(outcome)
    onOutcome(outcome)
  }
  try {
    settle(outcomeOf(sent, await request(sending, sent)))
  } catch (error) {
    if (isRefused(error)) {
      const { code, message, issues, requestId } = error
      const why = issues.length > 0 ? issues.map((issue) => issue.message).join(' ') : message
      return settle(outcomeOf(sent, [], { status: 'failed', code, message: why, requestId }))
    }
    if (endsRun(error) || cli.stopped.aborted || !(error instanceof SocialError)) throw error
    onUnknown({ row: sent.row, message: error.message })
  }
}

/** Repeats a request whose response was lost, unless its posts exist. */
const repeat = async (sending: Sending, { sent }: Entry): Promise<void> => {
  const { client, writer, onOutcome, onUnknown, cli } = sending
  const isOld = Date.now() - Date.parse(sent.at) > keyLifeMs
  try {
    const posts = await findPosts(client, sent, cli.stopped)
    if (posts.length > 0) {
      const outcome = outcomeOf(sent, posts, { found: true })
      writer.note(outcome)
      return onOutcome(outcome)
    }
  } catch (error) {
    if (cli.stopped.aborted || !(error instanceof SocialError)) throw error
    // The key alone is sufficient while the service remembers it.
    if (isOld) return onUnknown({ row: sent.row, message: `Whether it was sent cannot be checked: ${error.message}` })
  }
  return send(sending, sent)
}

const keyOf = (run: string, identity: string, attempt: number) =>
  createHash('sha256').update(`${run}\n${identity}\n${attempt}`).digest('base64url')

/** The ID of a file in the library; it is uploaded once for all rows. */
const uploader = ({ cli, client, report, writer }: Sending) => {
  const uploads = new Map<string, Promise<string>>()
  const upload = async (path: string): Promise<string> => {
    const { size, mtimeMs } = assertFile(path)
    const before = report.files.get(path)
    if (before && before.size === size && before.mtimeMs === mtimeMs) return before.id
    const { id } = await uploadFile(cli, client, path)
    writer.note({ type: 'media', path, size, mtimeMs, id })
    return id
  }
  return (reference: string): Promise<string> => {
    if (isInLibrary(reference)) return Promise.resolve(reference)
    const path = resolve(reference)
    const known = uploads.get(path) ?? upload(path)
    uploads.set(path, known)
    return known
  }
}

const sendFirst = async (
  sending: Sending,
  { row, accountIds, content, scheduledAt, media, externalId, metadata }: Planned,
  { attempt, upload }: { attempt: number; upload(reference: string): Promise<string> },
): Promise<void> => {
  const { report, writer, onUnknown, cli } = sending
  const { number, identity } = row
  let mediaUrls: string[]
  try {
    mediaUrls = await Promise.all(media.map(upload))
  } catch (error) {
    if (endsRun(error) || cli.stopped.aborted || !(error instanceof Error)) throw error
    return onUnknown({ row: number, message: `A file was not uploaded: ${error.message}` })
  }
  const sent: SentRow = {
    type: 'sent',
    row: number,
    identity,
    cells: { accounts: row.cells.accounts, at: row.cells.at },
    attempt,
    key: keyOf(report.run.run, identity, attempt),
    path: scheduledAt === null ? '/api/posts/publish-now' : '/api/posts/schedule',
    body: {
      socialAccountIds: accountIds,
      content,
      externalId: externalId ?? `${report.run.run}-${number}`,
      ...(scheduledAt === null ? {} : { scheduledAt }),
      ...(mediaUrls.length > 0 ? { mediaUrls } : {}),
      ...(metadata === undefined ? {} : { metadata }),
    },
    at: new Date().toISOString(),
  }
  writer.append(sent)
  return send(sending, sent)
}

/** Runs tasks, a few at a time, until one throws. */
export const runAll = async (tasks: readonly (() => Promise<void>)[], signal: AbortSignal): Promise<void> => {
  const waiting = tasks.values()
  let isOver = false
  const work = async () => {
    for (const task of waiting) {
      if (isOver) return
      signal.throwIfAborted()
      await task().catch((error: unknown) => {
        isOver = true
        throw error
      })
    }
  }
  // All of them end before the report is closed.
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, work))
  const failed = ended.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
}

/** Sends the remaining rows of a run. */
export const sendRows = (
  sending: Sending,
  unfinished: readonly Entry[],
  fresh: readonly { planned: Planned; attempt: number }[],
): Promise<void> => {
  const upload = uploader(sending)
  const tasks = [
    ...unfinished.map((entry) => () => repeat(sending, entry)),
    ...fresh.map(
      ({ planned, attempt }) =>
        () =>
          sendFirst(sending, planned, { attempt, upload }),
    ),
  ]
  return runAll(tasks, sending.cli.stopped)
}
