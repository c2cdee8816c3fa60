import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { allOf, begins, equal } from '../db/expression.ts'
import { type BatchRows, type Key, queryAll } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { Id } from '../http/id.ts'
import { type Export, type ExportView, exports, exportsOf, viewExport } from './export.ts'

export const ExportPath = z.object({
  id: described(Id, 'The ID of the workspace, the same as in `X-Workspace-Id`.'),
  exportId: described(Id, 'The ID of the export, `exp_…`.'),
})

interface ExportParams {
  workspaceId: string
  params: z.infer<typeof ExportPath>
}

const keyOf = ({ workspaceId, params }: ExportParams) => ({ workspaceId, id: params.exportId })

/** The row of the export in the path, read together with the authorization. */
export const exportKeys = (request: ExportParams): Key[] => [exports.key(keyOf(request))]

const isListed = (ctx: Context, { ttl }: Export) => ttl === undefined || ttl * 1000 > ctx.clock.now()

/** An export, until 30 days after its archive was deleted. */
export const findExport = (ctx: Context, rows: BatchRows, request: ExportParams): Export => {
  // The partition has other rows, too.
  const { exportId } = request.params
  const row = exportId.startsWith('exp_') ? exports.from(rows, keyOf(request)) : undefined
  if (row !== undefined && isListed(ctx, row)) return row
  throw new Refusal('missing', `This workspace has no export ${exportId}.`, {
    code: 'export_not_found',
    field: 'exportId',
  })
}

/** The exports of a workspace, newest first. The quota and their expiry keep them few. */
export const listExports = async (ctx: Context, workspaceId: string): Promise<z.infer<typeof ExportView>[]> => {
  const key = allOf(equal('PK', exportsOf(workspaceId)), begins('SK', 'exp_'))
  const rows = await queryAll(ctx, { key, newestFirst: true })
  return exports
    .readable(ctx, rows)
    .filter((row) => isListed(ctx, row))
    .map(viewExport)
}
