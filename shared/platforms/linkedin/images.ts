import * as z from 'zod/mini'
import type { MediaFile } from '../../media/media-file.ts'
import type { PlatformCall } from '../adapter.ts'
import { baseUrlOf } from '../base-urls.ts'
import { fileRange } from '../file-range.ts'
import { sendRequest } from '../http.ts'
import { tokenOf } from '../oauth.ts'
import { assertUploadAddress } from '../upload-address.ts'
import { askLinkedIn } from './api.ts'
import { definition } from './definition.ts'
import { classifyLinkedInError } from './errors.ts'

export const uploadHosts = ['.linkedin.com']

const Opened = z.object({ value: z.object({ uploadUrl: z.string(), image: z.string() }) })

/** Uploads an image; answers its URN. */
export const uploadImage = async ({ ctx, account }: PlatformCall, file: MediaFile): Promise<string> => {
  const token = tokenOf(account)
  const { value } = await askLinkedIn(ctx, {
    token,
    path: '/rest/images',
    query: { action: 'initializeUpload' },
    json: { initializeUploadRequest: { owner: account.externalId } },
    reply: Opened,
  })
  await sendRequest(ctx, {
    platform: definition,
    method: 'PUT',
    base: baseUrlOf(ctx, definition, 'api'),
    path: '/dms-uploads',
    address: assertUploadAddress(ctx, definition, value.uploadUrl, uploadHosts),
    headers: { authorization: `Bearer ${token}` },
    body: fileRange(ctx, file, 0, file.fileSize - 1),
    classifyError: classifyLinkedInError,
  })
  return value.image
}
