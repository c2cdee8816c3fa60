import { aiRows } from '../ai/rows.ts'
import { applicationRows } from '../applications/rows.ts'
import { auditRows } from '../audit/rows.ts'
import type { Context } from '../context.ts'
import { type Item, type Key, keyOf } from '../db/key.ts'
import type { OwnedRows } from '../db/owned-rows.ts'
import { keysOf, pagesOf } from '../db/partition.ts'
import { draftRows } from '../drafts/rows.ts'
import { eventRows } from '../events/rows.ts'
import { exportRows } from '../export/rows.ts'
import { mediaRows } from '../media/rows.ts'
import { memoryRows } from '../memory/rows.ts'
import { notificationRows } from '../notifications/rows.ts'
import { postRows } from '../posts/rows.ts'
import { quotaRows } from '../quotas/rows.ts'
import { socialAccountRows } from '../social-accounts/rows.ts'
import { webhookRows } from '../webhooks/rows.ts'
import { workspaceRows } from '../workspaces/rows.ts'

/** Everything that a workspace owns in the table. The workspace's own partition, which refers to the others, comes last. */
const ownedRows: readonly OwnedRows[] = [
  quotaRows,
  postRows,
  exportRows,
  eventRows,
  auditRows,
  webhookRows,
  draftRows,
  mediaRows,
  memoryRows,
  notificationRows,
  aiRows,
  socialAccountRows,
  applicationRows,
  workspaceRows,
]

const childrenOf = new Map(ownedRows.flatMap(({ children = {} }) => Object.entries(children)))
const lastTypes = ownedRows.flatMap(({ lastTypes = [] }) => lastTypes)

async function* childKeys(ctx: Context, workspaceId: string, row: Item): AsyncGenerator<readonly Key[]> {
  const children = childrenOf.get(String(row['type']))
  if (children) yield* children(ctx, workspaceId, row)
}

/** Returns what a deleted child workspace holds of shared resources. A repeated call finds nothing left to return. */
export const refund = async (ctx: Context, child: { workspaceId: string; payerId: string }): Promise<void> => {
  for (const rows of ownedRows) await rows.refund?.(ctx, child)
}

/** The rows that a workspace has, or can have, under known keys: a fixed number. */
export const knownKeys = (workspaceId: string): Key[] => ownedRows.flatMap(({ keys }) => keys?.(workspaceId) ?? [])

/**
 * The keys of all other rows of a deleted workspace except the deletion row, page by page. Children come before their
 * parents, so that a pass that is interrupted between two pages finds them again. Before the last pass, parents whose
 * children can still be written stay.
 */
export async function* remainingKeys(
  ctx: Context,
  workspaceId: string,
  isLastPass: boolean,
): AsyncGenerator<readonly Key[]> {
  const excluded = ['WorkspaceDeletion', ...(isLastPass ? [] : lastTypes)]
  for (const PK of ownedRows.flatMap(({ partitions }) => partitions?.(workspaceId) ?? [])) yield* keysOf(ctx, PK)
  for (const PK of ownedRows.flatMap(({ parents }) => parents?.(workspaceId) ?? [])) {
    for await (const page of pagesOf(ctx, PK)) {
      for (const row of page) yield* childKeys(ctx, workspaceId, row)
      yield page.filter(({ type }) => !excluded.includes(String(type))).map(keyOf)
    }
  }
}
