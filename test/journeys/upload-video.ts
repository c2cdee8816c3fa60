import { expect } from 'vitest'
import { clip as film } from '../media/clips.ts'
import type { Kit } from '../support/start.ts'

/** A film as phones make them, that every platform takes, with so many bytes of pictures. */
export const clip = (bytes = 1000): Buffer => film({ bytes })

/** Uploads a film as a user would: address, file, completion. */
export const uploadVideo = async (kit: Kit, bytes: Buffer = clip()) => {
  const file = { mimeType: 'video/mp4' as const, fileSize: bytes.byteLength }
  const upload = await kit.api.media.createUploadUrl({ body: { filename: 'clip.mp4', ...file } })
  const headers = { 'Content-Type': file.mimeType }
  const sent = await fetch(upload.uploadUrl, { method: 'PUT', headers, body: new Uint8Array(bytes) })
  expect(sent.status, await sent.text()).toBe(200)
  return kit.api.media.complete({ body: { storageKey: upload.storageKey, originalFilename: 'clip.mp4', ...file } })
}
