import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { Stop } from '../stop.ts'
import { type Caller, call } from './caller.ts'
import { drawImage } from './image.ts'

const UploadUrl = z.object({ uploadUrl: z.string(), storageKey: z.string() })

interface File {
  name: string
  mimeType: string
  bytes: Buffer
  /** The additions of the completion: dimensions, duration in ms, alternative text. */
  described: Readonly<Record<string, string | number>>
}

/** Uploads a file like any program; returns the ID of the asset. */
const upload = async (caller: Caller, { name, mimeType, bytes, described }: File): Promise<string> => {
  const file = { mimeType, fileSize: bytes.length }
  const target = await call(caller, 'POST /api/media/upload-url', UploadUrl, { ...file, filename: name })
  const sent = await fetch(target.uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': mimeType },
    body: new Uint8Array(bytes),
  })
  if (!sent.ok) throw new Stop(`The upload of ${name} answered ${sent.status}: ${await sent.text()}`)
  const complete = { storageKey: target.storageKey, originalFilename: name, ...file, ...described }
  return (await call(caller, 'POST /api/media/complete', z.object({ id: z.string() }), complete)).id
}

export const uploadImage = (caller: Caller): Promise<string> => {
  const { bytes, width, height } = drawImage()
  const described = { width, height, altText: 'An evening sky with a low sun' }
  return upload(caller, { name: 'evening.png', mimeType: 'image/png', bytes, described })
}

/** Four seconds of evening colors, made for this repository by ffmpeg's source `gradients`. */
export const uploadVideo = (caller: Caller): Promise<string> => {
  const bytes = readFileSync(new URL('./film.mp4', import.meta.url))
  const described = { width: 540, height: 960, duration: 4000, altText: 'Evening colors that drift' }
  return upload(caller, { name: 'evening.mp4', mimeType: 'video/mp4', bytes, described })
}
