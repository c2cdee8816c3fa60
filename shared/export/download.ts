import type { ActorByLink } from '../audit/actor.ts'
import { presignDownload } from '../aws/presign.ts'
import { commit, type Unit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { absent, allOf, equal, present } from '../db/expression.ts'
import { sweepAt } from '../db/sweep-at.ts'
import { batchGet } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { digest } from '../ids.ts'
import { logSecurity } from '../security-log.ts'
import { hourMs } from '../time.ts'
import { workspaces } from '../workspaces/workspace.ts'
import { archiveKeyOf, exports } from './export.ts'
import { downloadLinks } from './link.ts'

/** The redirect leads to an S3 URL at which a download can start for this long. */
const beginSeconds = 60

/** A download of 160 GB may take this long, and a link that is created after a failed one still finds the archive. */
const retentionAfterDownloadMs = hourMs

const unusable = () =>
  new Refusal('missing', 'This download link is unknown, was used, or has expired. Create another one.', {
    code: 'download_link_not_found',
  })

/** Uses up a link; returns the URL of the archive. */
export const useDownloadLink = async (
  ctx: Context,
  { exportId, token }: { exportId: string; token: string },
  by: ActorByLink,
): Promise<string> => {
  const tokenHash = digest(token)
  const link = await downloadLinks.get(ctx, { tokenHash })
  const nowMs = ctx.clock.now()
  const isGood = link?.exportId === exportId && link.usedAt === undefined && Date.parse(link.expiresAt) > nowMs
  if (!isGood) throw unusable()
  const { workspaceId } = link
  const key = { workspaceId, id: exportId }
  const rows = await batchGet(ctx, [exports.key(key), workspaces.key({ id: workspaceId })])
  const [ready, workspace] = [exports.from(rows, key), workspaces.from(rows, { id: workspaceId })]
  const endsMs = Date.parse(ready?.expiresAt ?? '')
  if (workspace === undefined || ready?.status !== 'completed' || !(endsMs > nowMs)) throw unusable()
  const url = await presignDownload(ctx, archiveKeyOf(key), `${workspace.slug}-${exportId}.zip`, beginSeconds)
  const untilMs = Math.min(endsMs, nowMs + retentionAfterDownloadMs)
  const unit: Unit = {
    writes: [
      {
        update: downloadLinks.key(link),
        change: { set: { usedAt: new Date(nowMs).toISOString() } },
        when: allOf(present('PK'), absent('usedAt')),
      },
      {
        update: exports.key(key),
        change: { set: { expiresAt: new Date(untilMs).toISOString(), ...sweepAt(exportId, untilMs) } },
        when: allOf(equal('status', 'completed'), equal('expiresAt', ready.expiresAt)),
      },
    ],
    audit: {
      by: by({ userId: link.createdBy }),
      action: 'export.downloaded',
      target: { type: 'export', id: exportId },
    },
  }
  await currentOrThrow(commit(ctx, workspace, unit), unusable)
  logSecurity(ctx, 'export_downloaded', { workspaceId, exportId })
  return url
}
