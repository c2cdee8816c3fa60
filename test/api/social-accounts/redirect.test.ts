import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { submitConnectPage } from '../../../infra/local/demo/submit-connect-page.ts'
import { update } from '../../../shared/db/table.ts'
import { members } from '../../../shared/workspaces/workspace.ts'
import { browserOf, hiddenIn, unescaped } from '../../pages/test-browser.ts'
import { type Kit, start } from '../../support/start.ts'
import { makeSignedIn } from '../../support/world/preparations.ts'
import { refusalOf } from '../answers.ts'

const home = 'https://app.example.com/connected?tenant=7&sort=a%20b'
const local = 'http://127.0.0.1/back'
// Everything that a query must carry unchanged.
const state = 'a b+c&status=failed#x/?=%20\n"ü😀'

let kit: Kit
beforeAll(async () => {
  kit = await start()
  await kit.sessionApi.workspaces.update({ params: { id: kit.workspaceId }, body: { redirectUrls: [home, local] } })
})
afterAll(() => kit.close())

/** The API of a backend that has nothing but a token. */
const backend = async () => {
  const body = { name: 'backend', workspaceId: kit.workspaceId, scopes: ['accounts:read', 'accounts:write'] }
  const { token, id } = await kit.sessionApi.cli.createToken({ body })
  return { tokenId: id, api: client({ baseUrl: kit.url, token, workspaceId: kit.workspaceId }) }
}

type Platform = 'x' | 'discord' | 'facebook'
type Sent = { redirectUrl?: string; state?: string; externalId?: string }

const linkFor = async (body: Sent, platform: Platform = 'x') =>
  (await (await backend()).api.socialAccounts.connect({ params: { platform }, body })).authorizeUrl

/** What the platform sends the person back with after this answer. */
const answerAt = async (address: string, answer: 'allow' | 'deny') => {
  const init = { method: 'POST', body: new URLSearchParams({ answer }), redirect: 'manual' } as const
  return (await fetch(address, init)).headers.get('Location') ?? ''
}

const comeBack = async (address: string, cookie: string) => {
  const { status, headers } = await fetch(address, { headers: { cookie }, redirect: 'manual' })
  return { status, headers, to: headers.get('Location') }
}

const walk = async (body: Sent, answer: 'allow' | 'deny' = 'allow', platform: Platform = 'x') => {
  const { address, cookie } = await submitConnectPage(await linkFor(body, platform))
  return comeBack(await answerAt(address, answer), cookie)
}

const outcomeIn = (to: string | null) => Object.fromEntries(new URL(to ?? '').searchParams)

test('the person returns to the app with the account and the state; the query of the URL is unchanged', async () => {
  const { status, headers, to } = await walk({ redirectUrl: home, state, externalId: 'customer-42' })
  expect(status).toBe(303)
  expect(to?.startsWith(`${home}&`)).toBe(true)
  expect(headers.get('Referrer-Policy')).toBe('no-referrer')
  expect(headers.get('Cache-Control')).toBe('no-store')
  const { api } = await backend()
  const [account] = await api.socialAccounts.list({ query: { externalId: 'customer-42' } })
  expect(account).toMatchObject({ providerId: 'x', isConnected: true })
  expect(outcomeIn(to)).toEqual({
    tenant: '7',
    sort: 'a b',
    status: 'connected',
    platform: 'x',
    accountId: account?.id,
    state,
  })
})

test('a customer sees the workspace and its logo, no member, and no email address', async () => {
  const logo = 'https://cdn.example.com/logo.png'
  const { name } = await kit.sessionApi.workspaces.update({ params: { id: kit.workspaceId }, body: { logo } })
  const link = new URL(await linkFor({ redirectUrl: home, state: 's' }))
  const customer = await makeSignedIn(kit)
  const page = await browserOf(kit, customer.token).open(link.pathname + link.search)
  expect(page.text).toContain(`${name} wants to post to your X account. Continue only if you trust ${name}.`)
  expect(page.text).toContain(`<div class="brand">${name}</div>`)
  expect(page.text).toContain('Powered by Social Publishing')
  expect(page.text).toContain(`<img class="logo" src="${logo}" alt="">`)
  expect(page.headers.get('Content-Security-Policy')).toContain('; img-src https:;')
  expect(page.text.replace(/<style>.*?<\/style>/s, '')).not.toContain('@')
  await kit.sessionApi.workspaces.update({ params: { id: kit.workspaceId }, body: { logo: null } })
  const plain = await browserOf(kit).open(link.pathname + link.search)
  expect(plain.text).not.toContain('<img')
  expect(plain.headers.get('Content-Security-Policy')).not.toContain('img-src')
  const [, cancel = ''] = /<a href="([^"]+)"[^>]*>Cancel and return to app\.example\.com</.exec(page.text) ?? []
  expect(outcomeIn(unescaped(cancel))).toMatchObject({ status: 'cancelled', platform: 'x', state: 's' })
})

test('only a session returns to the console, and it alone without a question', async () => {
  const body = { redirectUrl: `${kit.url}/console` }
  const { api } = await backend()
  await expect(api.socialAccounts.connect({ params: { platform: 'x' }, body })).rejects.toMatchObject({
    status: 400,
    body: { code: 'redirect_url_not_allowed' },
  })
  const { authorizeUrl } = await kit.sessionApi.socialAccounts.connect({ params: { platform: 'x' }, body })
  const { pathname, search } = new URL(authorizeUrl)
  const own = await browserOf(kit, kit.sessionToken).open(pathname + search)
  expect([own.heading, own.headers.get('Set-Cookie')]).toEqual(['Continue at X', expect.stringContaining('HttpOnly')])
  for (const token of [undefined, (await makeSignedIn(kit)).token]) {
    const other = await browserOf(kit, token).open(pathname + search)
    expect([other.heading, other.headers.get('Set-Cookie')]).toEqual(['Not connected', null])
  }
})

test('the trail names the token that made the link', async () => {
  // Entries are in the order of time.
  kit.clock.pass(1000)
  const { api, tokenId } = await backend()
  const body = { redirectUrl: home }
  const { authorizeUrl } = await api.socialAccounts.connect({ params: { platform: 'x' }, body })
  const { address, cookie } = await submitConnectPage(authorizeUrl)
  const { to } = await comeBack(await answerAt(address, 'allow'), cookie)
  const query = { targetId: outcomeIn(to)['accountId'] ?? '' }
  const { items } = await kit.sessionApi.workspaces.listAudit({ params: { id: kit.workspaceId }, query })
  expect(items[0]).toMatchObject({
    action: 'social_account.connected',
    actor: { userId: kit.user.id },
    credential: { type: 'link', id: tokenId },
  })
})

test('a person who cancels, is late, lost access, or meets a refusal returns with the reason', async () => {
  const cancelled = await walk({ redirectUrl: home, state }, 'deny')
  expect([cancelled.status, outcomeIn(cancelled.to)]).toEqual([
    303,
    { tenant: '7', sort: 'a b', status: 'cancelled', platform: 'x', state },
  ])

  const refused = await submitConnectPage(await linkFor({ redirectUrl: home }))
  const wrong = new URL(await answerAt(refused.address, 'allow'))
  wrong.searchParams.set('code', 'another')
  const failed = await comeBack(wrong.href, refused.cookie)
  expect(outcomeIn(failed.to)).toMatchObject({ status: 'failed', error: 'platform_rejected' })

  const member = members.key({ workspaceId: kit.workspaceId, userId: kit.user.id })
  const gone = await submitConnectPage(await linkFor({ redirectUrl: home }))
  const back = await answerAt(gone.address, 'allow')
  await update(kit.ctx, member, { set: { status: 'suspended' } })
  expect(outcomeIn((await comeBack(back, gone.cookie)).to)).toMatchObject({ status: 'failed', error: 'not_a_member' })
  await update(kit.ctx, member, { set: { status: 'active' } })

  const late = await submitConnectPage(await linkFor({ redirectUrl: home, state }))
  const lateBack = await answerAt(late.address, 'allow')
  kit.clock.pass(10 * 60_000 + 1)
  expect(outcomeIn((await comeBack(lateBack, late.cookie)).to)).toMatchObject({
    status: 'failed',
    error: 'connect_link_expired',
    state,
  })
})

test('an expired link leads back by a click only, and an error of the platform is not taken for a refusal', async () => {
  const link = new URL(await linkFor({ redirectUrl: home }))
  kit.clock.pass(10 * 60_000 + 1)
  const page = await browserOf(kit).open(link.pathname + link.search)
  expect([page.status, page.text.includes('http-equiv')]).toEqual([200, false])
  const [, address = ''] = /<a href="([^"]+)"[^>]*>Return to app\.example\.com</.exec(page.text) ?? []
  expect(outcomeIn(unescaped(address))).toMatchObject({ status: 'failed', error: 'connect_link_expired' })

  const { address: at, cookie } = await submitConnectPage(await linkFor({ redirectUrl: home }))
  const back = new URL(await answerAt(at, 'deny'))
  back.searchParams.set('error', 'temporarily_unavailable')
  expect(outcomeIn((await comeBack(back.href, cookie)).to)).toMatchObject({
    status: 'failed',
    error: 'platform_unavailable',
  })
})

test('several accounts of one login return together, once they are selected', async () => {
  const { address, cookie } = await submitConnectPage(await linkFor({ redirectUrl: home, state: 's' }, 'facebook'))
  const choice = await (await fetch(await answerAt(address, 'allow'), { headers: { cookie } })).text()
  const { ticket = '' } = hiddenIn(
    { status: 200, headers: new Headers(), to: undefined, heading: undefined, text: choice },
    `${kit.url}/connect-accounts`,
  )
  const browser = browserOf(kit)
  const sent = await browser.send('/connect-accounts', { ticket, account_0: 'yes', account_1: 'yes' })
  const page = await browser.open(sent.to ?? '')
  const [, to = ''] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(page.text) ?? []
  const { accountIds = '', ...rest } = outcomeIn(unescaped(to))
  expect(rest).toMatchObject({ status: 'connected', platform: 'facebook', state: 's' })
  const accounts = await (await backend()).api.socialAccounts.list({})
  const ids = accounts.filter(({ providerId }) => providerId === 'facebook').map(({ id }) => id)
  expect(accountIds.split(',').sort()).toEqual([...ids].sort())
  expect(ids).toHaveLength(2)
})

test('another browser, and a callback that was used, return nowhere', async () => {
  const { address, cookie } = await submitConnectPage(await linkFor({ redirectUrl: home, state: 'secret-state' }))
  const back = await answerAt(address, 'allow')
  const foreign = await fetch(back, { redirect: 'manual' })
  expect([foreign.status, foreign.headers.get('Location')]).toEqual([200, null])
  expect(await foreign.text()).not.toContain('secret-state')
  expect((await comeBack(back, cookie)).status).toBe(303)
  expect(await comeBack(back, cookie)).toMatchObject({ status: 200, to: null })
  kit.clock.pass(10 * 60_000 + 1)
  // Late and in another browser: nothing of the login is shown.
  const late = await submitConnectPage(await linkFor({ redirectUrl: home }))
  const lateBack = await answerAt(late.address, 'allow')
  kit.clock.pass(10 * 60_000 + 1)
  expect(await comeBack(lateBack, `svc_connect=${'x'.repeat(43)}`)).toMatchObject({ status: 200, to: null })
})

const tricks = [
  'https://app.example.com/connected',
  `${home}&more=1`,
  `${home}#here`,
  'https://app.example.com/connected/../connected?tenant=7&sort=a%20b',
  'https://app.example.com/connected%3Ftenant=7&sort=a%20b',
  'https://app.example.com.evil.example/connected?tenant=7&sort=a%20b',
  'https://evil.example/app.example.com/connected?tenant=7&sort=a%20b',
  'https://app.example.com@evil.example/connected?tenant=7&sort=a%20b',
  'https://evil.example\\@app.example.com/connected?tenant=7&sort=a%20b',
  'https:\\\\app.example.com/connected?tenant=7&sort=a%20b',
  'https://app.example.com./connected?tenant=7&sort=a%20b',
  'https://sub.app.example.com/connected?tenant=7&sort=a%20b',
  'https://аpp.example.com/connected?tenant=7&sort=a%20b',
  'https://APP.example.com/connected?tenant=7&sort=a%20b',
  'https://app.example.com:444/connected?tenant=7&sort=a%20b',
  'http://app.example.com/connected?tenant=7&sort=a%20b',
  '//app.example.com/connected?tenant=7&sort=a%20b',
  'javascript:alert(1)//https://app.example.com/connected',
  ` ${home}`,
  `${home}\n`,
  'http://127.0.0.1.evil.example/back',
  'http://user@127.0.0.1:80/back',
  'http://127.0.0.1:99999/back',
  'http://127.0.0.1:3000/back/../evil',
  'http://127.0.0.1:3000\\back',
  'http://localhost:3000/back',
  'http://127.1:3000/back',
  'http://2130706433/back',
  'https://127.0.0.1/back',
]

test.each(tricks)('rejects the redirect URL %j', async (redirectUrl) => {
  expect(await refusalOf(linkFor({ redirectUrl }))).toMatchObject({
    status: 400,
    code: 'redirect_url_not_allowed',
    field: 'redirectUrl',
  })
})

test.each([
  'http://127.0.0.1/back',
  'http://127.0.0.1:4000/back',
  'http://127.0.0.1:65535/back',
])('a loopback address may have any port: %s', async (redirectUrl) => {
  const { to } = await walk({ redirectUrl })
  expect(to).toMatch(new RegExp(`^${redirectUrl}\\?status=connected&`))
})

test('state needs a redirect URL and has at most 500 characters; both are optional', async () => {
  expect(await refusalOf(linkFor({ state: 's' }))).toMatchObject({ status: 400, field: 'state' })
  const long = { redirectUrl: home, state: 's'.repeat(501) }
  expect(await refusalOf(linkFor(long))).toMatchObject({ status: 400, field: 'state' })
  const longest = await walk({ redirectUrl: home, state: '€'.repeat(500) })
  expect(outcomeIn(longest.to)['state']).toBe('€'.repeat(500))
  expect(await walk({ externalId: 'customer-43' })).toMatchObject({ status: 200, to: null })
})
