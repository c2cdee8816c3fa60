import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWired, type WiredKit } from '../support/wired.ts'
import { browserOf, type Seen } from './test-browser.ts'

let kit: WiredKit
beforeAll(async () => {
  kit = await startWired()
}, 120_000)
afterAll(() => kit.close())

const inBrowser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const callback = '/api/social-accounts/connect/x/callback'

const linksIn = ({ text }: Seen) => [...text.matchAll(/<a href="([^"]*)"/g)].map(([, to = '']) => to)
const codeIn = ({ text }: Seen): unknown => JSON.parse(text).code

test.each([
  ['a guide that does not exist', '/api/docs/guides/nothing', 404, 'Page not found', 'guide_not_found'],
  ['a code that does not exist', '/api/docs/errors/nothing', 404, 'Page not found', 'error_code_not_found'],
  [
    'a download link that was used',
    '/api/exports/exp_a/download?token=a',
    404,
    'No download',
    'download_link_not_found',
  ],
  ['a download link that was cut off', '/api/exports/exp_a/download', 400, 'No download', 'invalid_input'],
  ['a login with a repeated state', `${callback}?state=a&state=b`, 400, 'Not connected', 'invalid_input'],
  ['a login with an endless state', `${callback}?state=${'x'.repeat(5_000)}`, 400, 'Not connected', 'invalid_input'],
  ['a login at no platform', callback.replace('/x/', '/nothing/'), 400, 'Not connected', 'invalid_input'],
])('%s is a page with links for a browser, and the envelope for a program', async (_, path, status, heading, code) => {
  const { open } = browserOf(kit)
  const page = await open(path, inBrowser)
  expect([page.status, page.heading]).toEqual([status, heading])
  const id = page.headers.get('X-Request-Id') ?? ''
  expect(page.text).toContain(`Request ID: <code>${id}</code>`)
  expect(linksIn(page)).not.toEqual([])
  for (const link of linksIn(page)) expect((await fetch(link, { redirect: 'follow' })).status, link).toBe(200)

  const { headers } = await open('/login', inBrowser)
  const same = ['Content-Type', 'Content-Security-Policy', 'Cache-Control', 'Referrer-Policy', 'X-Content-Type-Options']
  for (const name of same) expect(page.headers.get(name), name).toBe(headers.get(name))

  const answer = await open(path, { Accept: '*/*' })
  expect([answer.status, codeIn(answer)]).toEqual([status, code])
})

test.each([
  inBrowser.Accept,
  'text/html',
  'text/html;q=0.1, */*',
  'application/json, text/html;q=0.5',
  'application/json',
  'text/*',
  '*/*',
  '',
])('functions choose by Accept as the gateway does: %s', async (accept) => {
  const { open } = browserOf(kit)
  const types = await Promise.all(
    ['/nothing', '/api/docs/guides/nothing', `${callback}?state=a&state=b`].map(async (path) => {
      const { headers } = await open(path, { Accept: accept })
      return headers.get('Content-Type')?.split(';')[0]
    }),
  )
  expect(new Set(types).size, types.join()).toBe(1)
})

test('a login that the service cannot complete leads the person back to where they can repeat it', async () => {
  kit.wire.breakBy(() => ({ kind: 'cut' }))
  const { open } = browserOf(kit)
  const [page, answer] = await Promise.all([open(`${callback}?state=a&code=b`, inBrowser), open(`${callback}?state=a`)])
  kit.wire.mend()
  expect([page.status, page.headers.get('Retry-After'), page.heading]).toEqual([503, '5', 'Not connected'])
  expect(page.text).toContain('If the account is not in the workspace, connect it again.')
  expect(linksIn(page)).toEqual([`${kit.url}/workspaces`])
  expect([answer.status, codeIn(answer)]).toEqual([503, 'outcome_unknown'])
})
