import type { Context } from '../context.ts'
import { countsOf } from '../db/counters.ts'
import { keysOf, pagesOf } from '../db/partition.ts'
import { type Item, type Key, keyOf } from '../db/table.ts'
import { drafts } from '../drafts/draft.ts'
import { outbox } from '../events/outbox.ts'
import { pointers } from '../events/pointer.ts'
import { assets } from '../media/asset.ts'
import { jobsOf } from '../media/job.ts'
import { usesOf } from '../media/use.ts'
import { collectionsOf } from '../memory/collection.ts'
import { memoriesOf } from '../memory/memory.ts'
import { indexesOf, removalsOf } from '../memory/search/index-row.ts'
import { attemptsOf } from '../posts/attempt-log.ts'
import { posts } from '../posts/lifecycle/row.ts'
import { bodiesOf } from '../posts/texts.ts'
import { workspaceWindowKeys } from '../quotas/count.ts'
import { holderKey } from '../social-accounts/shared-grant.ts'
import { socialAccounts } from '../social-accounts/social-account.ts'
import { deliveries } from '../webhooks/delivery.ts'
import { replaysOf } from '../webhooks/replay.ts'
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
  replaysOf(workspaceId),
  pointers.key({ workspaceId, eventId: '' }).PK,
  drafts.key({ workspaceId, id: '' }).PK,
  assets.key({ workspaceId, id: '' }).PK,
  usesOf(workspaceId),
  jobsOf(workspaceId),
  indexesOf(workspaceId),
  removalsOf(workspaceId),
  countsOf(workspaceId, 'POST'),
  countsOf(workspaceId, 'DRAFT'),
  countsOf(workspaceId, 'MEDIA'),
  countsOf(workspaceId, 'COLLECTION'),
]

/** What a row leads to. */
async function* beyond(ctx: Context, workspaceId: string, row: Item): AsyncGenerator<Key[]> {
  if (row['type'] === 'Endpoint') {
    yield* keysOf(ctx, deliveries.key({ workspaceId, endpointId: String(row['id']), id: '' }).PK)
  }
  if (row['type'] === 'Collection') yield* keysOf(ctx, memoriesOf(workspaceId, String(row['id'])))
  if (row['type'] === 'SocialAccount') {
    const { id, platform, sharedGrant } = socialAccounts.parse(row)
    if (sharedGrant !== undefined) yield [holderKey({ workspaceId, id, platform, sharedGrant })]
  }
  if (row['type'] === 'Member') {
    const userId = String(row['userId'])
    yield [...(await tokensOf(ctx, { userId, workspaceId })), membershipKey(userId, workspaceId)]
  }
  if (row['type'] === 'Invitation') yield [invitationPointer(String(row['tokenHash']))]
}

/** Rows that lead to others which a function may still be writing: they stay until the last pass. */
const guides = ['Endpoint', 'Collection', 'Member']

/**
 * The keys of all rows of a deleted workspace but that of the deletion, page by page; what leads to other rows comes
 * behind them, so that whoever is stopped between two pages finds his way again.
 */
export async function* remainsOf(ctx: Context, workspaceId: string, isLast: boolean): AsyncGenerator<Key[]> {
  const stays = isLast ? [] : guides
  yield workspaceWindowKeys(workspaceId)
  for (const PK of partitionsOf(workspaceId)) yield* keysOf(ctx, PK)
  for (const PK of [collectionsOf(workspaceId), workspaces.key({ id: workspaceId }).PK]) {
    for await (const page of pagesOf(ctx, PK)) {
      for (const row of page) yield* beyond(ctx, workspaceId, row)
      yield page.filter(({ type }) => type !== 'WorkspaceDeletion' && !stays.includes(String(type))).map(keyOf)
    }
  }
}
