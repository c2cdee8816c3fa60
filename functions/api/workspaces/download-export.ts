import * as z from 'zod/mini'
import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorByLink } from '../../../shared/audit/actor.ts'
import { useDownloadLink } from '../../../shared/export/download.ts'
import { noDownloadPage } from '../../../shared/export/no-download-page.ts'
import { described } from '../../../shared/http/described.ts'
import { Id } from '../../../shared/http/id.ts'
import { Raw } from '../../../shared/http/reply.ts'
import { pageForBrowsers } from '../../../shared/pages/page-for-browsers.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/exports/{exportId}/download',
    summary: 'Download an archive',
    description:
      'The URL that `POST /api/workspaces/{id}/export/{exportId}/download` returns. Redirects to the archive and uses up the link. A HEAD request uses up nothing, and returns 405.',
    access: anyone,
    params: z.object({ exportId: described(Id, 'The ID of the export, `exp_…`.') }),
    query: z.strictObject({ token: described(z.string().check(z.maxLength(100)), 'The token in the link.') }),
    status: 303,
    errors: ['download_link_not_found'],
    needs: ['table:read', 'table:write', 'export:read'],
  },
  async (call) => {
    const { exportId } = call.params
    const { token } = call.query
    const location = await useDownloadLink(call.ctx, { exportId, token }, actorByLink(call))
    return new Raw('', 'text/plain', {
      Location: location,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    })
  },
  pageForBrowsers(noDownloadPage),
)
