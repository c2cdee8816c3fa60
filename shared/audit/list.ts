import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { unreadableIn } from '../db/entity.ts'
import { allOf, between, type Condition, equal } from '../db/expression.ts'
import { query } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { Id } from '../http/id.ts'
import { Moment, msOf, timestamp } from '../http/moment.ts'
import { cursorLike, pageQuery } from '../http/page.ts'
import { lowestUlid, msOfUlid } from '../ids.ts'
import { dayMs } from '../time.ts'
import { type AuditAction, auditActions, auditTargets } from './actions.ts'
import { credentialTypes } from './actor.ts'
import { type AuditEntry, auditEntries } from './entry.ts'
import { auditRetentionDays } from './record.ts'

const actions = Object.keys(auditActions) as [AuditAction, ...AuditAction[]]

const ActionList = described(
  z.pipe(
    z.string(),
    z.pipe(
      z.transform((text: string) => text.split(',')),
      z.array(z.enum(actions)),
    ),
  ),
  'Actions, separated by commas.',
)

/** The query of the audit trail. */
export const AuditQuery = z.strictObject({
  action: z.optional(ActionList),
  actorId: described(z.optional(Id), 'Only changes by the person with this id.'),
  targetType: described(z.optional(z.enum(auditTargets)), 'Only changes of objects of this kind.'),
  targetId: described(z.optional(Id), 'Only changes of the object with this id.'),
  from: described(z.optional(Moment), 'Only changes at this time or later.'),
  to: described(z.optional(Moment), 'Only changes at this time or earlier.'),
  cursor: cursorLike(/^[0-9A-HJKMNP-TV-Z]{26}$/),
  limit: described(pageQuery.limit, 'The most entries of the page, 1 to 200.'),
})
export type AuditQuery = z.infer<typeof AuditQuery>

const text = (description: string) => described(z.string(), description)
const textOrNull = (description: string) => described(z.nullable(z.string()), description)

const fields = (description: string) =>
  described(
    z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.readonly(z.array(z.string()))])),
    description,
  )

/** An entry as the API shows it. */
export const AuditEntryView = z
  .object({
    id: text('The id of the entry. Ids are in the order of time.'),
    createdAt: timestamp('When the change was made.'),
    action: text('What was done, such as `token.created`. New actions can be added.'),
    target: described(
      z.object({
        type: text('The kind of the object, such as `token`.'),
        id: text('The id of the object. For a member, the id of the person.'),
      }),
      'What was changed.',
    ),
    actor: described(
      z.object({
        userId: textOrNull('The id of the person; null if no person made the change.'),
        name: textOrNull('The present name of the person; null if no person made the change, or they no longer exist.'),
        email: textOrNull('The present address of the person; null in the same cases.'),
      }),
      'Who made the change.',
    ),
    credential: described(
      z.object({
        type: described(
          z.enum(credentialTypes),
          'The credential: a `session`, a personal access `token`, an `assistant`, a `link` that the person requested, a command of the `operator`, or the service itself (`system`).',
        ),
        id: textOrNull(
          'The id of the session, token, or connection of an assistant, or the name of the command or of the part of the service. For a `link`, the id of the token or connection that requested it, or null; the ID of the link if a customer used it.',
        ),
        client: z.optional(
          text(
            'The name of the assistant, as it named itself. `customer` for a customer who used a link to their connections.',
          ),
        ),
      }),
      'The credential that was used.',
    ),
    ip: textOrNull('The address of the client; null if the change was not a request.'),
    userAgent: textOrNull('The first 100 characters of the header `User-Agent`.'),
    requestId: textOrNull('The ID that the service gave the request; null if the change was not a request.'),
    clientRequestId: textOrNull('The `X-Request-Id` that the caller sent, or null.'),
    before: fields('The fields that changed, with their earlier values. Never a secret.'),
    after: fields('The same fields with their new values. A created object has only these.'),
    truncated: described(z.array(z.string()), 'The fields whose values are cut, because an entry is small.'),
  })
  .register(z.globalRegistry, {
    id: 'AuditEntry',
    description: 'A change in a workspace, and who made it.',
  })

/** The person who made a change, as they are now: empty texts while their account is being deleted. */
interface AuditedPerson {
  name: string
  email: string
}

export const viewEntry = (entry: AuditEntry, person: AuditedPerson | undefined): z.infer<typeof AuditEntryView> => {
  const { id, action, targetType, targetId, before, after, truncated } = entry
  const { userId, credential, ip, userAgent, requestId, clientRequestId = null } = entry.actor
  return {
    id,
    createdAt: new Date(msOfUlid(id)).toISOString(),
    action,
    target: { type: targetType, id: targetId },
    actor: { userId, name: person?.name || null, email: person?.email || null },
    credential,
    ip,
    userAgent,
    requestId,
    clientRequestId,
    before,
    after,
    truncated,
  }
}

/** A filter reads rows that it does not return: one page reads at most this many, about half a megabyte. */
const rowsWhenFiltered = 500

/** The rows that a page can show; undefined if there are none. Rows outlive the year by up to two days (TTL). */
const rangeOf = (ctx: Context, workspaceId: string, { from, to, cursor }: AuditQuery): Condition | undefined => {
  if (from !== undefined && to !== undefined && msOf(from) > msOf(to)) {
    throw new Refusal('invalid', '"to" must not be before "from".', { code: 'invalid_input', field: 'to' })
  }
  const oldestMs = ctx.clock.now() - auditRetentionDays * dayMs
  const lowest = lowestUlid(Math.max(oldestMs, from === undefined ? 0 : msOf(from)))
  // No id contains a tilde: every id sorts below.
  const highest = to === undefined ? '~' : lowestUlid(msOf(to) + 1)
  const last = cursor !== undefined && cursor < highest ? cursor : highest
  if (lowest > last) return undefined
  const { PK } = auditEntries.key({ workspaceId, id: '' })
  return allOf(equal('PK', PK), between('SK', lowest, last))
}

const fits = (entry: AuditEntry, { action, actorId, targetType, targetId, cursor }: AuditQuery): boolean =>
  // The range includes the row at the cursor, which the page before this one has shown or passed over.
  entry.id !== cursor &&
  (action === undefined || (action as readonly string[]).includes(entry.action)) &&
  (actorId === undefined || entry.actor.userId === actorId) &&
  (targetType === undefined || entry.targetType === targetType) &&
  (targetId === undefined || entry.targetId === targetId)

interface AuditPage {
  entries: AuditEntry[]
  hasMore: boolean
  /** The position after the last row that was read; null at the end of the trail. */
  nextCursor: string | null
  unreadable?: number
}

/**
 * A page of a workspace's audit trail, newest first. One query reads a bounded number of rows, however many match the
 * filter: a page can have few entries, or none, although more follow.
 */
export const readAudit = async (ctx: Context, workspaceId: string, request: AuditQuery): Promise<AuditPage> => {
  const key = rangeOf(ctx, workspaceId, request)
  if (key === undefined) return { entries: [], hasMore: false, nextCursor: null }
  const { action, actorId, targetType, targetId, limit } = request
  const isFiltered = [action, actorId, targetType, targetId].some((value) => value !== undefined)
  // One row more, to know whether there is another page, and the row at the cursor.
  const page = await query(ctx, { key, newestFirst: true, limit: isFiltered ? rowsWhenFiltered : limit + 2 })
  const rows = auditEntries.readable(ctx, page.items)
  const fitting = rows.filter((row) => fits(row, request))
  const entries = fitting.slice(0, limit)
  const isCut = fitting.length > limit
  const hasMore = isCut || page.next !== undefined
  const last = isCut ? entries.at(-1)?.id : page.items.at(-1)?.['SK']
  return {
    entries,
    hasMore,
    nextCursor: hasMore && last !== undefined ? String(last) : null,
    ...unreadableIn(page.items, rows),
  }
}
