import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Kit, start } from '../support/start.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const get = (path: string) => fetch(`${kit.url}${path}`, { redirect: 'manual' })

test.each([
  '/login',
  '/device',
  '/api/docs',
  '/api/docs/viewer.js',
  '/api/docs/errors/post_not_found',
  '/api/docs/guides/webhooks',
  '/api/docs/guides/webhooks.md',
  '/llms.txt',
  '/llms-full.txt',
  '/api/openapi.json',
  '/api/health',
  '/api/posts',
  '/api/platforms',
  '/api/nowhere',
])('%s sets HSTS with includeSubDomains', async (path) => {
  expect((await get(path)).headers.get('Strict-Transport-Security')).toBe('max-age=31536000; includeSubDomains')
})

test('the reference page cannot be framed', async () => {
  const { headers } = await get('/api/docs')
  expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
})
