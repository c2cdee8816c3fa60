import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { AssetView } from '../../../shared/media/asset.ts'
import { createMedia, inlineErrors } from '../../../shared/media/create.ts'
import { CreateMediaRequest, inlineBody } from '../../../shared/media/create-request.ts'
import { storageKeys } from '../../../shared/media/storage.ts'
import { wholeProcessorMb } from '../../../shared/resources.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/media',
    summary: 'Add a small file',
    description:
      'Adds a file of at most 4 MB to the library in one request, with its bytes in base64. It is inspected like an upload: a file that is truncated, damaged, or contains another file is rejected. For a larger file, use `POST /api/media/upload-url`.',
    access: scope('media:write'),
    body: CreateMediaRequest,
    largeBody: inlineBody,
    status: 201,
    data: AssetView,
    errors: [...inlineErrors, 'quota_exceeded', 'quota_rate_exceeded'],
    needs: ['table:read', 'table:write', 'media:write', 'queue:preview'],
    memoryMb: wholeProcessorMb,
    prefetch: ({ workspaceId }) => storageKeys(workspaceId),
  },
  ({ ctx, workspace, body, prefetched }) => createMedia(ctx, workspace, body, prefetched),
)
