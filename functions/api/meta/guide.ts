import * as z from 'zod/mini'
import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Refusal } from '../../../shared/errors/refusal.ts'
import { readBundledFile } from '../../../shared/http/bundled-file.ts'
import { described } from '../../../shared/http/described.ts'
import { Raw } from '../../../shared/http/reply.ts'
import { GuideFile, guidePage, guideScript } from '../../../shared/pages/guide-page.ts'
import { layout } from '../../../shared/pages/layout.ts'
import { noDocumentPage } from '../../../shared/pages/not-found-page.ts'
import { pageForBrowsers } from '../../../shared/pages/page-for-browsers.ts'
import { pageHeaders } from '../../../shared/pages/send.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/docs/guides/{name}',
    summary: 'Get a guide',
    description:
      'Returns a guide as an HTML page, or as Markdown if the name ends in `.md`. `/llms.txt` lists all guides.',
    access: anyone,
    params: z.object({
      name: described(z.string(), 'The name of the guide, with `.md` for Markdown.', { examples: ['webhooks'] }),
    }),
    status: 200,
    errors: ['guide_not_found'],
    needs: ['files'],
    limit: 'none',
  },
  async ({ ctx, params: { name } }) => {
    // At the route of the pages: each route costs 5 KB of the gateway's template.
    if (name === 'script.js') {
      return new Raw(guideScript, 'text/javascript; charset=utf-8', {
        'Cache-Control': 'public, max-age=3600',
        'X-Content-Type-Options': 'nosniff',
      })
    }
    const guides = z.parse(GuideFile, JSON.parse(await readBundledFile(ctx, 'guides.json')))
    const at = guides.findIndex((guide) => guide.name === name.replace(/\.md$/, ''))
    const guide = guides[at]
    if (guide === undefined) {
      throw new Refusal('missing', `There is no guide ${name}. GET /llms.txt lists all guides.`, {
        code: 'guide_not_found',
        field: 'name',
      })
    }
    const isMarkdown = name.endsWith('.md')
    const headers = { ...pageHeaders(!isMarkdown), 'Cache-Control': 'public, max-age=3600' }
    if (isMarkdown) return new Raw(guide.markdown, 'text/markdown; charset=utf-8', headers)
    return new Raw(
      layout(guidePage(guides, at, `${ctx.env('BASE_URL')}/api/docs`)),
      'text/html; charset=utf-8',
      headers,
    )
  },
  pageForBrowsers(noDocumentPage),
)
