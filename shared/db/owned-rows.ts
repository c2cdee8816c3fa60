import type { Context } from '../context.ts'
import type { Item, Key } from './key.ts'

/** The rows that a row leads to. They are removed before it, so that an interrupted removal finds them again. */
export type ChildKeys = (ctx: Context, workspaceId: string, row: Item) => AsyncIterable<readonly Key[]>

/** The rows that a folder of shared/ stores for a workspace: what is registered here is deleted with the workspace. */
export interface OwnedRows {
  /** Single rows. */
  keys?(workspaceId: string): readonly Key[]
  /** Partitions whose rows lead to no other rows. */
  partitions?(workspaceId: string): readonly string[]
  /** Partitions whose rows can lead to others. */
  parents?(workspaceId: string): readonly string[]
  /** By the type of a row in any folder's `parents`. */
  children?: Readonly<Record<string, ChildKeys>>
  /** Returns what a deleted child workspace holds of the resources that it shares with the workspace that pays for it. */
  refund?(ctx: Context, child: { workspaceId: string; payerId: string }): Promise<void>
  /** Types of parents whose children a running function can still write: they stay until the last pass. */
  lastTypes?: readonly string[]
}
