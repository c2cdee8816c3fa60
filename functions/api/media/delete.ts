import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { described } from '../../../shared/http/described.ts'
import { idPath } from '../../../shared/http/id.ts'
import { assetKeys, findAsset } from '../../../shared/media/asset.ts'
import { Deleted, removeAsset } from '../../../shared/media/remove.ts'
import { scheduledWith } from '../../../shared/posts/reading/scheduled-with.ts'

export const handler = endpoint(
  {
    method: 'DELETE',
    path: '/api/media/{id}',
    summary: 'Delete a file',
    description:
      'Returns 409 `media_in_use` for a file that scheduled posts use, unless `force=true`; then the response lists these posts.',
    access: scope('media:write'),
    params: idPath('The ID of the file, `med_…`.'),
    query: z.strictObject({
      force: described(
        z.optional(z.enum(['true', 'false'])),
        '`true` deletes the file even if scheduled posts use it. Those posts fail at their time.',
      ),
    }),
    status: 200,
    data: Deleted,
    errors: ['media_not_found', 'media_in_use'],
    needs: ['table:read', 'table:write', 'media:purge'],
    prefetch: assetKeys,
  },
  async ({ ctx, workspace, params, query, prefetched }) => {
    const asset = findAsset(prefetched, workspace.id, params.id)
    const postIds = await scheduledWith(ctx, workspace.id, asset.id)
    return removeAsset(ctx, workspace, asset, { postIds, force: query.force === 'true' })
  },
)
