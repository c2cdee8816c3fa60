import type { Context } from '../context.ts'
import { countsOf } from '../db/counters.ts'
import { type Condition, equal } from '../db/expression.ts'
import { type Item, type Key, keyOf, query } from '../db/table.ts'
import { assets } from '../media/asset.ts'
import { usesOf } from '../media/use.ts'
import { attemptsOf } from '../posts/attempt.ts'
import { bodiesOf } from '../posts/body.ts'
import { posts } from '../posts/post.ts'
import { deliveries } from '../webhooks/delivery.ts'
import { outbox } from '../webhooks/event.ts'
import { tokensOf } from './end-membership.ts'
import { invitationPointer } from './invitation.ts'
import { membershipKey } from './member.ts'
import { workspaces } from './workspace.ts'

/** The partitions whose rows belong to a workspace and lead to nothing else. */
const partitionsOf = (workspaceId: string): string[] => [
  posts.key({ workspaceId, id: '' }).PK,
  bodiesOf(workspaceId),
  attemptsOf(workspaceId),
  outbox.key({ workspaceId, id: '' }).PK,
  assets.key({ workspaceId, id: '' }).PK,
  usesOf(workspaceId),
  countsOf(workspaceId, 'POST'),
  countsOf(workspaceId, 'MEDIA'),
]

const rowsPerPage = 500

async function* pagesOf(ctx: Context, key: Condition): AsyncGenerator<Item[]> {
  let after: Item | undefined
  do {
    const page = await query(ctx, { key, limit: rowsPerPage, ...(after ? { after } : {}) })
    yield page.items
    after = page.next
  } while (after !== undefined)
}

async function* partition(ctx: Context, PK: string): AsyncGenerator<Key[]> {
  for await (const page of pagesOf(ctx, equal('PK', PK))) yield page.map(keyOf)
}

/** What a row in the workspace's own partition leads to. */
async function* beyond(ctx: Context, workspaceId: string, row: Item): AsyncGenerator<Key[]> {
  if (row['type'] === 'Endpoint') {
    yield* partition(ctx, deliveries.key({ workspaceId, endpointId: String(row['id']), id: '' }).PK)
  }
  if (row['type'] === 'Member') {
    const userId = String(row['userId'])
    yield [...(await tokensOf(ctx, { userId, workspaceId })), membershipKey(userId, workspaceId)]
  }
  if (row['type'] === 'Invitation') yield [invitationPointer(String(row['tokenHash']))]
}

/** Rows that lead to others which a function may still be writing: they stay until the last pass. */
const guides = ['Endpoint', 'Member']

/**
 * The keys of all rows of a deleted workspace but that of the deletion, page by page; what leads to other rows comes
 * behind them, so that whoever is stopped between two pages finds his way again.
 */
export async function* remainsOf(ctx: Context, workspaceId: string, isLast: boolean): AsyncGenerator<Key[]> {
  for (const PK of partitionsOf(workspaceId)) yield* partition(ctx, PK)
  for await (const page of pagesOf(ctx, equal('PK', workspaces.key({ id: workspaceId }).PK))) {
    for (const row of page) yield* beyond(ctx, workspaceId, row)
    const stays = isLast ? [] : guides
    yield page.filter(({ type }) => type !== 'WorkspaceDeletion' && !stays.includes(String(type))).map(keyOf)
  }
}
