import { expect } from 'vitest'
import { film } from '../media/files.ts'
import type { Kit } from '../support/start.ts'

/** The smallest film that is taken: its brands and a box of bytes, and as many more as are asked for. */
export const clip = (bytes = 0): Buffer => Buffer.concat([film('isom', 'mp42'), Buffer.alloc(bytes)])

/** Uploads a film as a user would: address, file, completion. */
export const uploadVideo = async (kit: Kit, bytes: Buffer = clip()) => {
  const file = { mimeType: 'video/mp4' as const, fileSize: bytes.byteLength }
  const upload = await kit.api.media.createUploadUrl({ body: { filename: 'clip.mp4', ...file } })
  const headers = { 'Content-Type': file.mimeType }
  const sent = await fetch(upload.uploadUrl, { method: 'PUT', headers, body: new Uint8Array(bytes) })
  expect(sent.status, await sent.text()).toBe(200)
  return kit.api.media.complete({ body: { storageKey: upload.storageKey, originalFilename: 'clip.mp4', ...file } })
}
