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
    summary: 'Complete an upload',
    description:
      'Inspects the uploaded file and adds it to the gallery: type, dimensions, duration, and frames are measured. A file that ' +
      'is truncated, damaged, too large, or contains another file is rejected and deleted. Repeats return the same asset.',
    access: scope('media:write'),
    body: CompleteUploadRequest,
    status: 201,
    data: AssetView,
    errors: [...uploadErrors, 'quota_exceeded'],
    needs: ['table:read', 'table:write', 'incoming:take', 'media:read', 'media:write', 'queue:preview'],
    memoryMb: wholeProcessorMb,
    prefetch: ({ ctx, workspaceId, body }) => uploadKeys(workspaceId, ctx.env('MEDIA_URL'), body),
  },
  ({ ctx, workspace, body, prefetched }) => completeUpload(ctx, workspace, body, { rows: prefetched }),
)
