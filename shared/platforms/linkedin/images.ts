import * as z from 'zod/mini'
import { baseOf } from '../bases.ts'
import { fileRange } from '../file-range.ts'
import { callPlain } from '../http.ts'
import { tokenOf } from '../oauth.ts'
import type { PlatformCall, PostMedia } from '../platform.ts'
import { demandUploadAddress } from '../upload-address.ts'
import { askLinkedIn } from './api.ts'
import { card } from './card.ts'
import { sortLinkedIn } from './errors.ts'

export const uploadHosts = ['.linkedin.com']

const Opened = z.object({ value: z.object({ uploadUrl: z.string(), image: z.string() }) })

/** Uploads a picture; answers its URN. */
export const uploadImage = async ({ ctx, account }: PlatformCall, file: PostMedia): Promise<string> => {
  const token = tokenOf(account)
  const { value } = await askLinkedIn(ctx, {
    token,
    path: '/rest/images',
    query: { action: 'initializeUpload' },
    json: { initializeUploadRequest: { owner: account.externalId } },
    reply: Opened,
  })
  await callPlain(ctx, {
    platform: card,
    method: 'PUT',
    base: baseOf(ctx, 'linkedin', 'api'),
    path: '/dms-uploads',
    address: demandUploadAddress(ctx, card, value.uploadUrl, uploadHosts),
    headers: { authorization: `Bearer ${token}` },
    body: fileRange(ctx, file, 0, file.fileSize - 1),
    sort: sortLinkedIn,
  })
  return value.image
}
