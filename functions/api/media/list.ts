import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { described } from '../../../shared/http/described.ts'
import { pageOf } from '../../../shared/http/page.ts'
import { AssetView } from '../../../shared/media/asset.ts'
import { listAssets } from '../../../shared/media/list.ts'
import { ListMediaQuery } from '../../../shared/media/list-query.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/media',
    summary: 'List the files in the library',
    description:
      'Lists images, videos, documents, and captions, newest first. Use their IDs in `mediaUrls` of posts. With `kind`, `q`, or `sha256` a request reads at most 2,000 files: a page can have fewer than `limit`, or none, and continues with `nextCursor` while `hasMore` is true.',
    access: scope('media:read'),
    query: ListMediaQuery,
    status: 200,
    data: z.extend(pageOf(AssetView), {
      total: described(
        z.int(),
        'The number of files on all pages, with the filters of the request. If `totalIsExact` is false, those known so far.',
      ),
      totalIsExact: described(
        z.boolean(),
        'Whether `total` is exact. It is without filters, and if the first page has all files.',
      ),
    }),
    errors: [],
    needs: ['table:read'],
  },
  ({ ctx, workspace, query }) => listAssets(ctx, workspace.id, query),
)
