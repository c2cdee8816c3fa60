import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Raw } from '../../../shared/http/reply.ts'

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Social Publishing Service API</title>
<style>body{margin:0}</style>
</head>
<body>
<redoc spec-url="openapi.json" hide-download-button="false" disable-search="false"></redoc>
<script src="docs/viewer.js"></script>
</body>
</html>
`

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/docs',
    summary: 'Get the API reference',
    access: anyone,
    status: 200,
    errors: [],
    needs: [],
    limit: 'none',
  },
  () =>
    new Raw(page, 'text/html; charset=utf-8', {
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    }),
)
