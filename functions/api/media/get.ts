import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { idPath } from '../../../shared/http/id.ts'
import { AssetView, assetKeys, findAsset, viewAsset } from '../../../shared/media/asset.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/media/{id}',
    summary: 'Get a file from the library',
    description: 'Returns one file of the library: its URLs, and what was measured of it.',
    access: scope('media:read'),
    params: idPath('The ID of the file, `med_…`.'),
    status: 200,
    data: AssetView,
    errors: ['media_not_found'],
    needs: ['table:read'],
    prefetch: assetKeys,
  },
  ({ ctx, workspace, params, prefetched }) =>
    viewAsset(findAsset(prefetched, workspace.id, params.id), ctx.env('MEDIA_URL')),
)
