import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { createUploadUrl, UploadUrl } from '../../../shared/media/create-upload-url.ts'
import { CreateUploadUrlRequest } from '../../../shared/media/requests.ts'
import { storageKeys } from '../../../shared/media/storage.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/media/upload-url',
    summary: 'Create an upload URL',
    description:
      'The first of three steps to add a file. PUT the file to `uploadUrl` within 15 minutes, with exactly the declared length and `Content-Type`. Then complete the upload with `POST /api/media/complete`.',
    access: scope('media:write'),
    body: CreateUploadUrlRequest,
    status: 200,
    data: UploadUrl,
    errors: ['quota_exceeded', 'quota_rate_exceeded'],
    needs: ['table:read', 'incoming:write'],
    prefetch: ({ workspaceId }) => storageKeys(workspaceId),
  },
  ({ ctx, workspace, body, prefetched }) => createUploadUrl(ctx, workspace, body, prefetched),
)
