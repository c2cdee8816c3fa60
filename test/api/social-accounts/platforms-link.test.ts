import { afterAll, beforeAll, expect, test } from 'vitest'
import { submitConnectPage } from '../../../infra/local/demo/submit-connect-page.ts'
import { type PlatformId, platformIds } from '../../../shared/resources.ts'
import { minuteMs } from '../../../shared/time.ts'
import { browserOf, type Seen, unescaped } from '../../pages/test-browser.ts'
import { type Kit, start } from '../../support/start.ts'
import { blueskyLogin } from '../../support/world/preparations.ts'
import { refusalOf } from '../answers.ts'

const home = 'https://app.example.com/connected?tenant=7'
const hostile = `<img src=x onerror="alert('1')"> & Söhne`

let kit: Kit
beforeAll(async () => {
  kit = await start()
  const body = { redirectUrls: [home], name: hostile }
  await kit.sessionApi.workspaces.update({ params: { id: kit.workspaceId }, body })
})
afterAll(() => kit.close())

type Sent = NonNullable<Parameters<Kit['api']['socialAccounts']['createLink']>[0]>['body']

/** A browser at the page of a new link. */
const open = async (body: Sent = {}) => {
  const link = await kit.api.socialAccounts.createLink({ body })
  const { pathname, search, searchParams } = new URL(link.authorizeUrl)
  const ticket = searchParams.get('ticket') ?? ''
  const someone = browserOf(kit)
  const show = () => someone.open(pathname + search)
  const choose = (platform: string, headers: Record<string, string> = {}) =>
    someone.send('/connect-accounts', { ticket, platform }, headers)
  return { ...link, someone, page: await show(), show, choose }
}

const offered = ({ text }: Seen) => [...text.matchAll(/<button name="platform" value="(\w+)">/g)].map(([, id]) => id)
const outcomeIn = (url: string | undefined) => Object.fromEntries(new URL(unescaped(url ?? '')).searchParams)

/** Allows the login at the platform, and returns where the browser ends up. */
const logIn = async (authorizeUrl: string) => {
  const { address, cookie } = await submitConnectPage(authorizeUrl)
  const init = { method: 'POST', body: new URLSearchParams({ answer: 'allow' }), redirect: 'manual' } as const
  const back = (await fetch(address, init)).headers.get('Location') ?? ''
  return (await fetch(back, { headers: { cookie }, redirect: 'manual' })).headers.get('Location') ?? ''
}

test('the page has a button for each platform; each choice goes on as a link for that platform does', async () => {
  const { page, show, choose, someone } = await open({ redirectUrl: home, state: 's', externalId: 'customer-42' })
  expect(offered(page)).toEqual([...platformIds])
  expect(unescaped(page.heading ?? '')).toBe(`Connect an account to ${hostile}?`)
  expect(page.text).not.toContain('<img')
  expect(page.text).not.toContain('<script')
  expect(page.headers.get('Content-Security-Policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^;]+; form-action/,
  )
  const chosen = await choose('x')
  expect([chosen.status, chosen.to]).toEqual([303, expect.stringMatching(/^\/connect-accounts\?ticket=/)])
  const outcome = outcomeIn(await logIn(kit.url + chosen.to))
  expect(outcome).toMatchObject({ tenant: '7', status: 'connected', platform: 'x', state: 's' })

  // The link offers the choice again.
  expect(offered(await show())).toEqual([...platformIds])
  const form = (await choose('bluesky')).to ?? ''
  const question = await someone.open(form)
  expect(question.text).toContain('wants to post to your Bluesky account')
  await someone.submit(question, 'connect-accounts', blueskyLogin)
  const [, to] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec((await someone.open(form)).text) ?? []
  expect(outcomeIn(to)).toMatchObject({ status: 'connected', platform: 'bluesky', state: 's' })
  const accounts = await kit.api.socialAccounts.list({ query: { externalId: 'customer-42' } })
  expect(accounts.map(({ providerId }) => providerId).sort()).toEqual(['bluesky', 'x'])
  expect(outcome['accountId']).toBe(accounts.find(({ providerId }) => providerId === 'x')?.id)
})

test('platforms limits the choice; another one, none, and a form of another site are refused', async () => {
  const { page, choose } = await open({ platforms: ['linkedin', 'x'] })
  expect(offered(page)).toEqual(['x', 'linkedin'])
  for (const platform of ['bluesky', '', '__proto__']) {
    const refused = await choose(platform)
    expect([refused.status, offered(refused)]).toEqual([400, ['x', 'linkedin']])
    expect(refused.text).toContain('role="alert">Choose one of the platforms.')
  }
  expect((await choose('x', { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
})

test('a link with one platform does not ask', async () => {
  const [{ page: x }, { page: nostr }] = [await open({ platforms: ['x'] }), await open({ platforms: ['nostr'] })]
  expect([x.text, nostr.text]).toEqual([
    expect.stringContaining('Connect with X</button>'),
    expect.stringContaining('name="secretKey"'),
  ])
  expect([offered(x), offered(nostr)]).toEqual([[], []])
})

test.each<[string, readonly string[], number]>([
  ['none', [], 400],
  ['all', platformIds, 200],
  ['one more than there are', [...platformIds, 'x'], 400],
  ['one twice', ['x', 'x'], 400],
  ['an unknown one', ['myspace'], 400],
])('platforms with %s', async (_, platforms, status) => {
  const made = kit.api.socialAccounts.createLink({ body: { platforms: [...platforms] as PlatformId[] } })
  if (status === 200) await made
  else expect(await refusalOf(made)).toMatchObject({ status, code: 'invalid_input' })
})

test('a link takes 30 choices', async () => {
  const { choose } = await open({ redirectUrl: home })
  for (let count = 0; count < 30; count += 1) expect((await choose('nostr')).status).toBe(303)
  const refused = await choose('nostr')
  expect(refused.text).toContain('A platform was chosen too often. Ask for another link.')
  expect(refused.text).toContain('error=connect_link_expired')
})

test('a choice ends with its link, and an expired or revoked link redirects back without a platform', async () => {
  const { choose, someone, show } = await open({ redirectUrl: home, expiresInSeconds: 60 })
  const to = (await choose('x')).to ?? ''
  kit.clock.pass(minuteMs)
  expect((await someone.open(to)).text).toContain('Connect with X</button>')
  kit.clock.pass(1)
  for (const late of [await someone.open(to), await show(), await choose('x')]) {
    expect(late.text).toContain('This link has expired or was already used')
  }
  const [, back] = /<a href="([^"]+)"[^>]*>Return to app\.example\.com</.exec((await show()).text) ?? []
  expect(outcomeIn(back)).toEqual({ tenant: '7', status: 'failed', error: 'connect_link_expired' })
  const another = await open()
  await kit.api.socialAccounts.revokeLink({ params: { id: another.id } })
  expect((await another.choose('x')).text).toContain('This link has expired or was already used')
})
