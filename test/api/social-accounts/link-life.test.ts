import { afterAll, beforeAll, expect, test } from 'vitest'
import { submitConnectPage } from '../../../infra/local/demo/submit-connect-page.ts'
import { dayMs, minuteMs } from '../../../shared/time.ts'
import { type Kit, start } from '../../support/start.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const linkFor = (expiresInSeconds?: number) =>
  kit.api.socialAccounts.connect({
    params: { platform: 'x' },
    body: { externalId: 'customer-42', ...(expiresInSeconds === undefined ? {} : { expiresInSeconds }) },
  })

const week = (7 * dayMs) / 1000
const page = async (url: string) => (await fetch(url)).text()
const expired = 'This link has expired or was already used'
const login = async (address: string) => {
  const init = { method: 'POST', body: new URLSearchParams({ answer: 'allow' }), redirect: 'manual' } as const
  return (await fetch(address, init)).headers.get('Location') ?? ''
}

test('a link works for ten minutes, or for the time that it is made with', async () => {
  const [usual, long] = [await linkFor(), await linkFor(week)]
  expect(usual.expiresAt).toBe(new Date(kit.clock.now() + 10 * minuteMs).toISOString())
  expect(long.expiresAt).toBe(new Date(kit.clock.now() + 7 * dayMs).toISOString())
  kit.clock.pass(10 * minuteMs + 1)
  expect(await page(usual.authorizeUrl)).toContain(expired)
  kit.clock.pass(7 * dayMs - 10 * minuteMs - 2)
  expect(await page(long.authorizeUrl)).toContain('Connect with X')
  kit.clock.pass(2)
  expect(await page(long.authorizeUrl)).toContain(expired)
})

test.each([
  [59, 400],
  [60, 200],
  [week, 200],
  [week + 1, 400],
])('expiresInSeconds of %d answers %d', async (seconds, status) => {
  const made = linkFor(seconds)
  if (status === 200) await made
  else await expect(made).rejects.toMatchObject({ status, body: { code: 'invalid_input', field: 'expiresInSeconds' } })
})

test('the login has ten minutes from the click, however late that is', async () => {
  const { authorizeUrl } = await linkFor(week)
  kit.clock.pass(6 * dayMs)
  const late = await submitConnectPage(authorizeUrl)
  kit.clock.pass(10 * minuteMs + 1)
  expect(await (await fetch(await login(late.address), { headers: { cookie: late.cookie } })).text()).toContain(expired)
  const again = await submitConnectPage(authorizeUrl)
  kit.clock.pass(9 * minuteMs)
  const text = await (await fetch(await login(again.address), { headers: { cookie: again.cookie } })).text()
  expect(text).toContain('is connected to')
})

test('a link belongs to the browser that pressed its button, for as long as a login takes', async () => {
  const { authorizeUrl } = await linkFor(week)
  await submitConnectPage(authorizeUrl)
  await expect(submitConnectPage(authorizeUrl)).rejects.toThrow(expired)
  kit.clock.pass(10 * minuteMs + 1)
  await submitConnectPage(authorizeUrl)
})

test('a revoked link does not work, and what it connected stays', async () => {
  const { id, authorizeUrl } = await linkFor(week)
  const { address, cookie } = await submitConnectPage(authorizeUrl)
  await fetch(await login(address), { headers: { cookie } })
  await kit.api.socialAccounts.revokeLink({ params: { id } })
  expect(await page(authorizeUrl)).toContain(expired)
  const answer = await fetch(new URL('/connect-accounts', kit.url), {
    method: 'POST',
    body: new URLSearchParams({ ticket: new URL(authorizeUrl).searchParams.get('ticket') ?? '' }),
    headers: { cookie, origin: kit.url },
  })
  expect(await answer.text()).toContain(expired)
  const accounts = await kit.api.socialAccounts.list({ query: { externalId: 'customer-42' } })
  expect(accounts).toMatchObject([{ providerId: 'x', isConnected: true }])
})

test.each(['lnk_unknown', 'unknown'])('the link %s is not found', async (id) => {
  await expect(kit.api.socialAccounts.revokeLink({ params: { id } })).rejects.toMatchObject({
    status: 404,
    body: { code: 'connect_link_not_found' },
  })
})

test('a link of another workspace is not found', async () => {
  const { id } = await linkFor()
  const other = await kit.sessionApi.workspaces.create({ body: { name: 'Elsewhere', timezone: 'UTC' } })
  const there = { 'X-Workspace-Id': other.id, Authorization: `Bearer ${kit.sessionToken}` }
  const answer = await fetch(`${kit.url}/api/social-accounts/connect/links/${id}`, { method: 'DELETE', headers: there })
  expect(answer.status).toBe(404)
})
