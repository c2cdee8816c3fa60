import type { Context } from '../../context.ts'
import { allOf, begins, equal } from '../../db/expression.ts'
import { type Item, query, type Page as Rows } from '../../db/table.ts'
import type { Export } from '../export.ts'

/** Whose rows are exported, and for whom. */
export type ExportScope = Pick<Export, 'workspaceId' | 'requestedBy'>

/** Lines of a file, and where the next ones start; undefined after the last. */
export interface Page {
  lines: readonly unknown[]
  next: string | undefined
}

/** One kind of rows, as files of JSON lines. */
export interface Source {
  name: string
  /** How the guide and the archive describe it. */
  description: string
  page(ctx: Context, scope: ExportScope, after: string): Promise<Page>
}

const rowsPerPage = 500

/** The rows of a partition after a sort key. */
export const rowsAfter = (
  ctx: Context,
  PK: string,
  after: string,
  { prefix = '', limit = rowsPerPage }: { prefix?: string; limit?: number } = {},
): Promise<Rows> => {
  const key = prefix === '' ? equal('PK', PK) : allOf(equal('PK', PK), begins('SK', prefix))
  return query(ctx, { key, limit, ...(after === '' ? {} : { after: { PK, SK: after } }) })
}

const nextOf = ({ next }: Rows) => (next === undefined ? undefined : String(next['SK']))

interface PartitionSpec {
  name: string
  description: string
  partition(workspaceId: string): string
  prefix?: string
  /** The lines of some rows. */
  lines(ctx: Context, rows: readonly Item[], scope: ExportScope): readonly unknown[] | Promise<readonly unknown[]>
}

/** The rows of one partition, or those below a prefix of it. */
export const partitionSource = ({ name, description, partition, prefix = '', lines }: PartitionSpec): Source => ({
  name,
  description,
  page: async (ctx, scope, after) => {
    const rows = await rowsAfter(ctx, partition(scope.workspaceId), after, { prefix })
    return { lines: await lines(ctx, rows.items, scope), next: nextOf(rows) }
  },
})

interface ChildrenSpec {
  name: string
  description: string
  parents: { partition(workspaceId: string): string; prefix?: string }
  /** The partition of a parent's rows; undefined for a parent that is left out. */
  partition(parent: Item, scope: ExportScope, ctx: Context): string | undefined
  lines(ctx: Context, rows: readonly Item[]): readonly unknown[]
}

/**
 * The rows that other rows refer to. The position is the parent's sort key and the last one below it, with a line feed
 * between them: the first says which parents are done.
 */
export const childrenSource = ({ name, description, parents, partition, lines }: ChildrenSpec): Source => ({
  name,
  description,
  page: async (ctx, scope, after) => {
    const [done = '', within] = after.split('\n')
    const { prefix = '' } = parents
    const PK = parents.partition(scope.workspaceId)
    const [parent] = (await rowsAfter(ctx, PK, done, { prefix, limit: 1 })).items
    if (parent === undefined) return { lines: [], next: undefined }
    const child = partition(parent, scope, ctx)
    const rows = child === undefined ? { items: [] } : await rowsAfter(ctx, child, within ?? '')
    const next = nextOf(rows)
    return {
      lines: lines(ctx, rows.items),
      next: next === undefined ? String(parent['SK']) : `${done}\n${next}`,
    }
  },
})
