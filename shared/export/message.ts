import * as z from 'zod/mini'
import { enqueueOrSweep } from '../aws/queue.ts'
import type { Context } from '../context.ts'

/** The message to make-export: one step of an export. */
export const ExportMessage = z.object({ workspaceId: z.string(), exportId: z.string() })
export type ExportMessage = z.infer<typeof ExportMessage>

export const enqueueExport = (ctx: Context, body: ExportMessage): Promise<void> =>
  enqueueOrSweep(ctx, 'export', { body, group: body.workspaceId })
