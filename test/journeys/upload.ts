import { expect } from 'vitest'
import type { Kit } from '../support/start.ts'

/** The smallest picture that every platform takes: 4 by 4 pixels. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAYAAACp8Z5+AAAAEklEQVR42mNISfn/HxkzkC4AANHvLGH++E1oAAAAAElFTkSuQmCC',
  'base64',
)

/** Uploads an image as a user would: address, file, completion. */
export const uploadPng = async (kit: Kit) => {
  const file = { mimeType: 'image/png' as const, fileSize: pixel.byteLength }
  const upload = await kit.api.media.createUploadUrl({ body: { filename: 'pixel.png', ...file } })
  const headers = { 'Content-Type': file.mimeType }
  const sent = await fetch(upload.uploadUrl, { method: 'PUT', headers, body: new Uint8Array(pixel) })
  expect(sent.status, await sent.text()).toBe(200)
  const { storageKey } = upload
  return kit.api.media.complete({ body: { storageKey, originalFilename: 'pixel.png', ...file } })
}
