import { transact } from '../../../shared/db/table.ts'
import { removal } from '../../../shared/media/job.ts'
import type { Kit } from '../start.ts'
import { heavyPixel, makeAsset, minuteMs, picture, postBody, upload } from './preparations.ts'
import { dueSoonMs, type Traveller } from './traveller.ts'

/** A preview whose message was lost, and a deleted file that remained while the bucket was unavailable. */
export const leaveFiles = async ({ kit, losing }: Traveller) => {
  const { id: heavy } = await makeAsset(kit, heavyPixel)
  await losing([{ functionName: 'posts-schedule', queue: 'prepare' }], () =>
    kit.api.posts.schedule({ body: { ...postBody(kit, 'Not converted', dueSoonMs), mediaUrls: [heavy] } }),
  )
  await kit.service.pass(3 * minuteMs)
  await losing([{ functionName: 'media-complete', queue: 'preview' }], () => makeAsset(kit))
  const { id, storageKey } = await makeAsset(kit)
  await transact(kit.ctx, () => [removal({ workspaceId: kit.workspaceId, id, storageKey }, kit.clock.now())])
  await kit.service.pass(2 * minuteMs)
}

/** A file that differs from its declaration. */
export const completeLie = async (kit: Kit) => {
  const { fileSize } = await upload(kit)
  const body = await upload(kit, new Uint8Array(fileSize))
  await kit.api.media.complete({ body }).then(
    () => Promise.reject(new Error('a file of zeros was taken for a picture')),
    () => undefined,
  )
}

/** An upload that never arrived. */
export const completeNothing = async (kit: Kit) => {
  const fileInfo = { ...picture, originalFilename: 'pixel.png' }
  const { storageKey } = await kit.api.media.createUploadUrl({ body: { filename: 'pixel.png', ...picture } })
  await kit.api.media.complete({ body: { storageKey, ...fileInfo } }).then(
    () => Promise.reject(new Error('a file that never arrived was taken for a picture')),
    () => undefined,
  )
}
