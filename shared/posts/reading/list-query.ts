import * as z from 'zod/mini'
import { Refusal } from '../../errors/refusal.ts'
import { described } from '../../http/described.ts'
import { Id } from '../../http/id.ts'
import { Moment } from '../../http/moment.ts'
import { cursorLike, pageQuery } from '../../http/page.ts'
import { platformIds } from '../../resources.ts'
import { ExternalIdFilter } from '../../social-accounts/external-id-filter.ts'
import { wellFormed } from '../../text/well-formed.ts'
import { postStatuses } from '../lifecycle/row.ts'
import { cursorForm, isCursorOf, orders, sorts } from './position.ts'

const phrase = z.string().check(z.minLength(1), z.maxLength(200), wellFormed)

/** The query of the list of posts. */
export const ListPostsQuery = z.strictObject({
  status: described(z.optional(z.enum(postStatuses)), 'Only posts with this status.'),
  socialAccountId: described(z.optional(Id), 'Only posts to the account with this ID, `acc_…`.'),
  accountExternalId: described(
    z.optional(ExternalIdFilter),
    'Only posts to accounts that have this `externalId` now. Not the `externalId` of the posts.',
  ),
  groupId: described(z.optional(Id), 'Only posts of the request with this `groupId`.'),
  platform: described(z.optional(z.enum(platformIds)), 'Only posts to this platform.'),
  externalId: described(z.optional(phrase), 'Only posts with this ID of yours, in full.'),
  from: described(
    z.optional(Moment),
    'Only posts whose `scheduledAt` is this time or later. RFC 3339 with a time zone.',
  ),
  to: described(z.optional(Moment), 'Only posts whose `scheduledAt` is before this time. RFC 3339 with a time zone.'),
  q: described(z.optional(phrase), 'Only posts whose `content` contains this text, in any case. 1 to 200 characters.'),
  sort: described(
    z._default(z.enum(sorts), 'createdAt'),
    'The time that sorts the posts. `scheduledAt` makes `from` and `to` cheap at any depth: use it for a calendar.',
  ),
  order: described(z._default(z.enum(orders), 'desc'), '`desc`: the latest first. `asc`: the earliest first.'),
  cursor: cursorLike(cursorForm),
  ...pageQuery,
})
export type ListPostsQuery = z.infer<typeof ListPostsQuery>

/** The query with the accounts that its `accountExternalId` names; one account is `socialAccountId` instead. */
export type PostFilter = ListPostsQuery & { accountIds?: readonly string[] | undefined }

const reject = (field: string, text: string): never => {
  throw new Refusal('invalid', text, { code: 'invalid_input', field })
}

/** Whether the service maintains counters for the posts that match the filters. */
export const isCounted = ({ groupId, platform, externalId, from, to, q }: ListPostsQuery): boolean =>
  [groupId, platform, externalId, from, to, q].every((filter) => filter === undefined)

/** Whether it is a list of counted posts, the newest first: an offset can skip any number of them. */
export const isPlain = (query: ListPostsQuery): boolean =>
  isCounted(query) && query.sort === 'createdAt' && query.order === 'desc'

/** Rejects parameters that exclude each other. */
export const assertCombined = (query: ListPostsQuery): void => {
  const { cursor, offset, from, to, groupId, sort } = query
  if (cursor !== undefined && offset > 0) {
    reject('cursor', '"cursor" and "offset" cannot be combined. Send one of them.')
  }
  if (cursor !== undefined && !isCursorOf(sort, cursor)) {
    reject('cursor', '"cursor" must be the nextCursor of a page with the same "sort".')
  }
  if (from !== undefined && to !== undefined && Date.parse(to) <= Date.parse(from)) {
    reject('to', '"to" must be after "from".')
  }
  if (offset > 0 && groupId === undefined && !isPlain(query)) {
    const filters = '"from", "to", "platform", "externalId", "q", "sort", and "order"'
    reject('offset', `"offset" cannot be combined with ${filters}. Use "cursor", the nextCursor of the page before.`)
  }
}
