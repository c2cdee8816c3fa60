import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { idPath } from '../../../shared/http/id.ts'
import { AssetView, assetKeys, findAsset } from '../../../shared/media/asset.ts'
import { UpdateMediaRequest } from '../../../shared/media/requests.ts'
import { updateAsset } from '../../../shared/media/update.ts'

export const handler = endpoint(
  {
    method: 'PATCH',
    path: '/api/media/{id}',
    summary: 'Update a file',
    description:
      'Changes `altText`, the text for people who cannot see the image. A post stores this text when it is accepted, and when its `mediaUrls` change: posts that exist do not change.',
    access: scope('media:write'),
    params: idPath('The ID of the file, `med_…`.'),
    body: UpdateMediaRequest,
    status: 200,
    data: AssetView,
    errors: ['media_not_found'],
    needs: ['table:read', 'table:write'],
    prefetch: assetKeys,
  },
  ({ ctx, workspace, params, body, prefetched }) =>
    updateAsset(ctx, findAsset(prefetched, workspace.id, params.id), body),
)
