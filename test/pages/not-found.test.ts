import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Kit, start } from '../support/start.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

const request = async (path: string, accept: string | undefined, init: RequestInit = {}) => {
  const headers = accept === undefined ? {} : { Accept: accept }
  const answer = await fetch(`${kit.url}${path}`, { ...init, headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const linksIn = (text: string) => [...text.matchAll(/href="([^"]*)"/g)].map(([, to = '']) => to)

test.each([
  '/nothing',
  '/api/nothing',
  '/api/docs/nothing/at/all',
  '/workspaces/',
])('a browser that opens %s gets a page with links', async (path) => {
  const { status, headers, text } = await request(path, browser)
  expect(status).toBe(404)
  expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8')
  expect(text).toMatch(/^<!doctype html>\n<html lang="en">/)
  expect(text).toContain('<h1>Page not found</h1>')
  const links = linksIn(text)
  expect(links).toEqual([`${kit.url}/`, `${kit.url}/api/docs`, `${kit.url}/api/docs/guides/quick-start`])
  for (const link of links) expect((await fetch(link)).status, link).toBe(200)
})

test('the page has the headers of every other page', async () => {
  const { headers, text } = await request('/nothing', browser)
  const { headers: ofPage } = await request('/login', browser)
  const names = [
    'Cache-Control',
    'Content-Security-Policy',
    'Cross-Origin-Opener-Policy',
    'Referrer-Policy',
    'X-Content-Type-Options',
    'Strict-Transport-Security',
  ]
  for (const name of names) expect(headers.get(name), name).toBe(ofPage.get(name))
  expect(headers.get('X-Request-Id')).toMatch(/^[\w-]{15}=$/)
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  expect(headers.get('Content-Security-Policy')).toContain(`style-src 'sha256-${hash}'`)
})

test.each([
  ['nothing', undefined],
  ['anything', '*/*'],
  ['JSON', 'application/json'],
  ['JSON before HTML', 'application/json, text/html;q=0.5'],
  ['nothing that it has', 'image/png'],
])('a client that accepts %s gets the envelope', async (_title, accept) => {
  const { status, headers, text } = await request('/api/nothing', accept)
  expect([status, headers.get('Content-Type')]).toEqual([404, 'application/json'])
  expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
  expect(headers.get('Content-Security-Policy')).toBeNull()
  expect(JSON.parse(text)).toEqual({
    success: false,
    error: expect.stringContaining('No route has this path.'),
    code: 'route_not_found',
    requestId: headers.get('X-Request-Id'),
    docUrl: `${kit.url}/api/docs/errors/route_not_found`,
  })
})

test('a request that changes something gets the envelope, whatever it accepts', async () => {
  const { status, text } = await request('/api/nothing', browser, { method: 'POST' })
  expect([status, JSON.parse(text).code]).toEqual([404, 'route_not_found'])
})
