import * as z from 'zod/mini'
import { Stop } from '../start/stop.ts'
import { type Caller, call } from './caller.ts'
import { drawPicture } from './picture.ts'

const UploadUrl = z.object({ uploadUrl: z.string(), storageKey: z.string() })

/** Uploads a picture as any program would; answers the id of the asset. */
export const uploadPicture = async (caller: Caller): Promise<string> => {
  const { bytes, width, height } = drawPicture()
  const file = { mimeType: 'image/png', fileSize: bytes.length }
  const name = 'evening.png'
  const place = await call(caller, 'POST /api/media/upload-url', UploadUrl, { ...file, filename: name })
  const sent = await fetch(place.uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': file.mimeType },
    body: new Uint8Array(bytes),
  })
  if (!sent.ok) throw new Stop(`The upload of the picture answered ${sent.status}: ${await sent.text()}`)
  const described = { width, height, altText: 'An evening sky with a low sun' }
  const complete = { storageKey: place.storageKey, originalFilename: name, ...file, ...described }
  return (await call(caller, 'POST /api/media/complete', z.object({ id: z.string() }), complete)).id
}
