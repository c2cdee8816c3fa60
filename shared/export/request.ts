import type * as z from 'zod/mini'
import type { Actor } from '../audit/actor.ts'
import { commit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { conditionFailed } from '../db/condition-failed.ts'
import { absent } from '../db/expression.ts'
import { get } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { ulid } from '../ids.ts'
import { countQuota } from '../quotas/count.ts'
import { logSecurity } from '../security-log.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { type Export, type ExportView, runningExportKey, viewExport } from './export.ts'
import { exportWork } from './work.ts'

const inProgress = (exportId: unknown) =>
  new Refusal('conflict', 'An export of this workspace is running. Wait until it has ended.', {
    code: 'export_in_progress',
    ...(exportId === undefined ? {} : { extra: { exportId } }),
  })

const runningExport = async (ctx: Context, workspaceId: string) =>
  (await get(ctx, runningExportKey(workspaceId)))?.['exportId']

/** Accepts an export; the worker builds the archive step by step. */
export const requestExport = async (
  ctx: Context,
  workspace: Workspace,
  actor: Actor & { userId: string },
): Promise<z.infer<typeof ExportView>> => {
  const nowMs = ctx.clock.now()
  const { id: workspaceId } = workspace
  const running = await runningExport(ctx, workspaceId)
  // A refused request does not use up the quota.
  if (running !== undefined) throw inProgress(running)
  await countQuota(ctx, workspace, 'exports', { subject: workspaceId })
  const job: Export = {
    id: `exp_${ulid(nowMs)}`,
    workspaceId,
    requestedBy: actor.userId,
    status: 'running',
    reason: null,
    createdAt: new Date(nowMs).toISOString(),
    finishedAt: null,
    expiresAt: null,
    progress: { records: 0, mediaFiles: 0, missingFiles: 0, bytes: 0 },
    crashes: 0,
    restarts: 0,
  }
  const { id } = job
  const answer = viewExport(job)
  const turn = { ...runningExportKey(workspaceId), type: 'ExportTurn', workspaceId, exportId: id }
  try {
    await commit(ctx, workspace, {
      writes: [{ as: 'running', put: turn, when: absent('PK') }, exportWork.beginWrite(job, nowMs)],
      audit: { by: actor, action: 'export.requested', target: { type: 'export', id } },
      response: { data: answer, id },
    })
  } catch (error) {
    throw conditionFailed(error, 'running') ? inProgress(await runningExport(ctx, workspaceId)) : error
  }
  logSecurity(ctx, 'export_requested', { exportId: id })
  await exportWork.enqueue(ctx, job)
  return answer
}
