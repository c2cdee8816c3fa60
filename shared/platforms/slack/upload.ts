import * as z from 'zod/mini'
import type { MediaFile } from '../../media/media-file.ts'
import { filenameOf } from '../../media/types.ts'
import { codePoints } from '../../text/counting.ts'
import { cutText } from '../../text/cut.ts'
import type { PlatformCall } from '../adapter.ts'
import { assertUploadAddress, fileRange } from '../files.ts'
import { sendRequest } from '../http.ts'
import { PlatformError } from '../platform-error.ts'
import { callSlack } from './api.ts'
import { definition } from './definition.ts'

/** A file that is uploaded to Slack and not shared yet. */
export const Uploaded = z.object({ id: z.string(), title: z.string() })
export type Uploaded = z.infer<typeof Uploaded>

const Lease = z.object({ upload_url: z.string(), file_id: z.string() })

const maxAltText = 1000

/** Uploads one file there, streamed: from now on Slack knows it by its ID. */
export const uploadFile = async ({ ctx, account }: PlatformCall, file: MediaFile): Promise<Uploaded> => {
  const { fileSize } = file
  const filename = filenameOf(file)
  // Truncated rather than rejected: the alt text matters less than the post.
  const altText = cutText(file.altText ?? '', maxAltText, codePoints)
  const form = { filename, length: String(fileSize), ...(altText ? { alt_txt: altText } : {}) }
  const lease = await callSlack(ctx, account, { method: 'files.getUploadURLExternal', form, reply: Lease })
  const address = assertUploadAddress(ctx, definition, lease.upload_url, ['.slack.com'])
  await sendRequest(ctx, {
    platform: definition,
    method: 'POST',
    base: new URL(address).origin,
    path: '/upload/v1',
    // The address itself is a secret: no token is sent with it.
    address,
    body: fileRange(ctx, { ...file, mimeType: 'application/octet-stream' }, 0, fileSize - 1),
    totalMs: 25_000,
    classifyError: ({ status }) =>
      new PlatformError('transient', 'Slack did not accept the upload.', { httpStatus: status }),
  })
  return { id: lease.file_id, title: filename }
}
