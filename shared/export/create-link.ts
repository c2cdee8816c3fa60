import * as z from 'zod/mini'
import type { Actor } from '../audit/actor.ts'
import { commit, type Unit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { absent, allOf, type Condition, equal } from '../db/expression.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'
import { digest, random62 } from '../ids.ts'
import { minuteMs } from '../time.ts'
import { type Export, exports } from './export.ts'
import { downloadLinks, linkMinutes } from './link.ts'

/** A download link; its URL is shown once. */
export const DownloadLinkView = z
  .object({
    url: described(z.string(), 'Redirects one GET to the archive. It needs no session: treat it as a secret.', {
      format: 'uri',
    }),
    expiresAt: timestamp('When the link stops working.'),
  })
  .register(z.globalRegistry, {
    id: 'ExportDownloadLink',
    description: 'A link to download an archive.',
  })

const notReady = () =>
  new Refusal('conflict', 'This export has no archive: it is running, has failed, or has expired.', {
    code: 'export_not_ready',
  })

const changed = () =>
  new Refusal('conflict', 'The export changed during the request. Try again.', { code: 'concurrent_update' })

/** Creates a link that downloads the archive once. It replaces the previous link. */
export const createDownloadLink = async (
  ctx: Context,
  ready: Export,
  actor: Actor & { userId: string },
): Promise<z.infer<typeof DownloadLinkView>> => {
  const { id, workspaceId, linkHash } = ready
  const nowMs = ctx.clock.now()
  const untilMs = Math.min(nowMs + linkMinutes * minuteMs, Date.parse(ready.expiresAt ?? ''))
  if (ready.status !== 'completed' || !(untilMs > nowMs)) throw notReady()
  const token = random62(43)
  const link = {
    tokenHash: digest(token),
    workspaceId,
    exportId: id,
    createdBy: actor.userId,
    expiresAt: new Date(untilMs).toISOString(),
  }
  const answer = { url: `${ctx.env('BASE_URL')}/api/exports/${id}/download?token=${token}`, expiresAt: link.expiresAt }
  const asRead: Condition = linkHash === undefined ? absent('linkHash') : equal('linkHash', linkHash)
  const unit: Unit = {
    writes: [
      {
        update: exports.key(ready),
        change: { set: { linkHash: link.tokenHash } },
        when: allOf(equal('status', 'completed'), asRead),
      },
      { put: downloadLinks.item(link), when: absent('PK') },
      ...(linkHash === undefined ? [] : [{ delete: downloadLinks.key({ tokenHash: linkHash }) }]),
    ],
    audit: { by: actor, action: 'export.link_created', target: { type: 'export', id } },
    response: { data: answer, id },
  }
  await currentOrThrow(commit(ctx, { id: workspaceId }, unit), changed)
  return answer
}
