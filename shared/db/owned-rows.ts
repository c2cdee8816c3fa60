import type { Context } from '../context.ts'
import type { Item, Key } from './key.ts'

/** The rows that a row refers to. They are removed before it, so that an interrupted removal finds them again. */
export type ChildKeys = (ctx: Context, workspaceId: string, row: Item) => AsyncIterable<readonly Key[]>

/** The rows that a folder of shared/ stores for a workspace: rows that are registered here are deleted with the workspace. */
export interface OwnedRows {
  /** Single rows. */
  keys?(workspaceId: string): readonly Key[]
  /** Partitions whose rows refer to no other rows. */
  partitions?(workspaceId: string): readonly string[]
  /** Partitions whose rows can refer to others. */
  parents?(workspaceId: string): readonly string[]
  /** By the type of a row in any folder's `parents`. */
  children?: Readonly<Record<string, ChildKeys>>
  /** Returns what a deleted child workspace holds of the resources that it shares with the workspace that pays for it. */
  refund?(ctx: Context, child: { workspaceId: string; payerId: string }): Promise<void>
  /** Types of parents whose children a running function can still write: they stay until the last pass. */
  lastTypes?: readonly string[]
}
