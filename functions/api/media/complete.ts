import { scope } from '../../../shared/http/contract.ts'
import { endpoint } from '../../../shared/http/endpoint.ts'
import { AssetView } from '../../../shared/media/asset.ts'
import { completeUpload, uploadKeys } from '../../../shared/media/complete.ts'
import { CompleteUploadRequest } from '../../../shared/media/requests.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/media/complete',
    summary: 'Take an uploaded file into the gallery',
    description: 'Type and size of an image are read from the file itself. A second call answers the same asset.',
    access: scope('media:write'),
    body: CompleteUploadRequest,
    status: 201,
    data: AssetView,
    refuses: ['invalid', 'missing', 'mismatched'],
    needs: ['table:read', 'table:write', 'media:read', 'media:write'],
    reads: ({ ctx, workspaceId, body }) => uploadKeys(workspaceId, ctx.env('MEDIA_URL'), body),
  },
  ({ ctx, workspace, body, found, once }) => completeUpload(ctx, workspace.id, body, found, once),
)
