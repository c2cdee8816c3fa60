import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { cursorLike, pageOf, pageQuery } from '../../../shared/http/page.ts'
import { AssetView } from '../../../shared/media/asset.ts'
import { listAssets } from '../../../shared/media/list.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/media',
    summary: 'List the files in the library',
    description: 'Lists images, videos, documents, and captions, newest first. Use their IDs in `mediaUrls` of posts.',
    access: scope('media:read'),
    query: z.strictObject({ cursor: cursorLike(/^med_[0-9A-Z]{26}$/), ...pageQuery }),
    status: 200,
    data: pageOf(AssetView),
    errors: [],
    needs: ['table:read'],
  },
  ({ ctx, workspace, query }) => listAssets(ctx, workspace.id, query),
)
