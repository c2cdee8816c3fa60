import { createUpload } from '../../../shared/aws/multipart.ts'
import { putFile } from '../../../shared/aws/put-file.ts'
import { exportFilesOf } from '../../../shared/export/export.ts'
import { download } from '../../export/exports.ts'
import { makeWorkspace, minuteMs } from './preparations.ts'
import type { Traveller } from './traveller.ts'

/** An export without a notification that is downloaded, and one whose workspace is deleted while it runs. */
export const exportEverywhere = async ({ kit, losing }: Traveller): Promise<void> => {
  const { id, slug, api } = await makeWorkspace(kit)
  let exportId = ''
  await losing([{ functionName: 'workspaces-export', queue: 'export' }], async () => {
    exportId = (await api.workspaces.export({ params: { id } })).exportId
  })
  await kit.service.pass(3 * minuteMs)
  await download(kit, exportId, id)
  const below = exportFilesOf(id)
  await createUpload(kit.ctx, `${below}exp_begun/archive.zip`, 'application/zip')
  await putFile(kit.ctx, `${below}exp_begun/segments/1`, Buffer.from('{}'), 'application/json')
  await api.workspaces.delete({ params: { id }, query: { confirm: slug } })
  await kit.service.drain()
}
