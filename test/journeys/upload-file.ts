import { expect } from 'vitest'
import type { MediaType } from '../../shared/media/types.ts'
import { clip } from '../media/clips.ts'
import { gif, jpeg } from '../media/files.ts'
import type { Kit } from '../support/start.ts'

/** Uploads a file as a user would: address, file, completion; returns its id. */
export const uploadFile = async (kit: Kit, mimeType: MediaType, bytes: Buffer, more: { altText?: string } = {}) => {
  const file = { mimeType, fileSize: bytes.byteLength }
  const upload = await kit.api.media.createUploadUrl({ body: { filename: 'file', ...file } })
  const headers = { 'Content-Type': mimeType }
  const sent = await fetch(upload.uploadUrl, { method: 'PUT', headers, body: new Uint8Array(bytes) })
  expect(sent.status, await sent.text()).toBe(200)
  const { storageKey } = upload
  return (await kit.api.media.complete({ body: { storageKey, originalFilename: 'file', ...file, ...more } })).id
}

export const uploadJpeg = (kit: Kit, width = 800, height = 800) => uploadFile(kit, 'image/jpeg', jpeg(width, height))
export const uploadGif = (kit: Kit) => uploadFile(kit, 'image/gif', gif(1, 1))
export const uploadFilm = (kit: Kit) => uploadFile(kit, 'video/mp4', clip())
