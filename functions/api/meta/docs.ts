import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { readBundledFile, versionOf } from '../../../shared/http/bundled-file.ts'
import { Raw } from '../../../shared/http/reply.ts'

const pageWith = (version: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Social Publishing Service API</title>
</head>
<body>
<div id="reference"></div>
<noscript>The reference needs JavaScript. The <a href="openapi.json">OpenAPI document</a> and <a href="docs/guides/quick-start">the guides</a> do not.</noscript>
<script src="docs/viewer.js?v=${version}"></script>
</body>
</html>
`

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  // The viewer creates style elements. No other page allows this.
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/docs',
    summary: 'Get the API reference',
    description: 'Returns this reference as an HTML page, for people.',
    access: anyone,
    status: 200,
    errors: [],
    needs: ['files'],
    limit: 'none',
  },
  async ({ ctx }) =>
    new Raw(pageWith(versionOf(await readBundledFile(ctx, 'viewer.js'))), 'text/html; charset=utf-8', {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    }),
)
