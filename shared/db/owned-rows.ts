import type { Context } from '../context.ts'
import type { Item, Key } from './key.ts'

/** The rows that a row leads to. They are removed before it, so that a removal that dies finds them again. */
export type ChildKeys = (ctx: Context, workspaceId: string, row: Item) => AsyncIterable<readonly Key[]>

/** The rows that a folder of shared/ stores for a workspace: what is registered here is deleted with the workspace. */
export interface OwnedRows {
  /** Single rows. */
  keys?(workspaceId: string): readonly Key[]
  /** Partitions whose rows lead to no others. */
  partitions?(workspaceId: string): readonly string[]
  /** Partitions whose rows may lead to others. */
  parents?(workspaceId: string): readonly string[]
  /** By the type of a row in any folder's `parents`. */
  children?: Readonly<Record<string, ChildKeys>>
  /** Types of parents whose children a running function may still write: they stay until the last pass. */
  lastTypes?: readonly string[]
}
