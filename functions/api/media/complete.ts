import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { AssetView } from '../../../shared/media/asset.ts'
import { completeUpload, uploadErrors, uploadKeys } from '../../../shared/media/complete.ts'
import { CompleteUploadRequest } from '../../../shared/media/requests.ts'
import { wholeProcessorMb } from '../../../shared/resources.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/media/complete',
    summary: 'Take an uploaded file into the gallery',
    description:
      'The file itself is looked at: type, size in pixels, duration and frames come from its bytes. A file that is cut off, ' +
      'damaged, too large or hides another one is refused and removed. A second call answers the same asset.',
    access: scope('media:write'),
    body: CompleteUploadRequest,
    status: 201,
    data: AssetView,
    errors: [...uploadErrors, 'quota_exceeded'],
    needs: ['table:read', 'table:write', 'incoming:take', 'media:read', 'media:write', 'queue:preview'],
    memoryMb: wholeProcessorMb,
    prefetch: ({ ctx, workspaceId, body }) => uploadKeys(workspaceId, ctx.env('MEDIA_URL'), body),
  },
  ({ ctx, workspace, body, prefetched, idempotencyWrites }) =>
    completeUpload(ctx, workspace, body, prefetched, idempotencyWrites),
)
