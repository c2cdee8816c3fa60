import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { submitConnectPage } from '../../../infra/local/demo/submit-connect-page.ts'
import { browserPlatforms } from '../../../shared/platforms/definitions.ts'
import { browserOf } from '../../pages/test-browser.ts'
import { connectOn } from '../../support/connect.ts'
import { type Kit, start } from '../../support/start.ts'
import { makeSignedIn } from '../../support/world/preparations.ts'

const minutesMs = 60_000

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

/** A user with a workspace who makes links to connect accounts to it. */
const owner = async (workspaceName: string) => {
  const { token, email } = await makeSignedIn(kit)
  const { id: workspaceId } = await client({ baseUrl: kit.url, token }).workspaces.create({
    body: { name: workspaceName, timezone: 'UTC' },
  })
  const api = client({ baseUrl: kit.url, token, workspaceId })
  const link = async (platform: 'x' | 'discord' | 'facebook' = 'x') =>
    (await api.socialAccounts.connect({ params: { platform } })).authorizeUrl
  const connected = async () => (await api.socialAccounts.list()).length
  return { token, email, link, connected }
}

/** Approves on a platform's page; returns the URL of the redirect back. */
const consent = async (address: string): Promise<string> => {
  const body = new URLSearchParams({ answer: 'allow' })
  const { headers } = await fetch(address, { method: 'POST', body, redirect: 'manual' })
  return headers.get('Location') ?? ''
}
const comeBack = async (address: string, cookie?: string): Promise<string> =>
  (await fetch(address, { headers: cookie === undefined ? {} : { cookie } })).text()

const foreign = 'This login was started in another browser'
const stale = 'This link has expired'

test('a link made by an attacker shows the workspace and the requester, and connects nothing by itself', async () => {
  const attacker = await owner('Totally <b>yours</b>')
  const victim = await makeSignedIn(kit)
  const link = await attacker.link()
  const { pathname, search, origin } = new URL(link)
  expect([origin, pathname]).toEqual([kit.url, '/connect-accounts'])
  const seen = await browserOf(kit, victim.token).open(pathname + search)
  expect([seen.status, seen.heading]).toEqual([200, 'Connect X to Totally &lt;b&gt;yours&lt;/b&gt;?'])
  expect(seen.text).toMatch(/[^<@]+ created this link\. Continue only if you trust both\./)
  expect(seen.text).toMatch(new RegExp(`You are signed in as ${victim.email}, but [^<@]+ created this link\\.`))
  expect(seen.text).not.toContain(attacker.email)
  expect(seen.headers.get('Set-Cookie')).toBeNull()
  expect(seen.text).not.toContain('http-equiv')
  expect(await browserOf(kit, attacker.token).open(pathname + search)).toMatchObject({
    text: expect.not.stringContaining('You are signed in as'),
  })
  expect(await attacker.connected()).toBe(0)
})

test("a login started by an attacker and finished by a victim connects nothing to the attacker's workspace", async () => {
  const attacker = await owner('Evil')
  // The attacker presses the button, and sends the victim the address of the platform.
  const { address, cookie } = await submitConnectPage(await attacker.link())
  const back = await consent(address)
  const before = kit.logged.length
  expect(await comeBack(back)).toContain(foreign)
  expect(kit.logged.slice(before).map((line) => JSON.parse(line))).toMatchObject([
    { message: 'security', event: 'connection_refused', platform: 'x' },
  ])
  // The victim is connecting their own account.
  const { cookie: ofVictim } = await submitConnectPage(await (await owner('Victim')).link())
  for (const other of [ofVictim, `svc_connect=${'x'.repeat(43)}`, 'svc_connect=', 'svc_connect', `other=${cookie}`]) {
    expect(await comeBack(back, other)).toContain(foreign)
  }
  expect(await attacker.connected()).toBe(0)
  // In the browser that began it the state is still good, once.
  expect(await comeBack(back, cookie)).toContain('is connected to Evil')
  expect(await comeBack(back, cookie)).toContain(stale)
  expect(await attacker.connected()).toBe(1)
})

test('a foreign code, a late callback, and a callback for another platform connect nothing', async () => {
  const { link, connected } = await owner('Acme')
  const { address, cookie } = await submitConnectPage(await link())
  const back = await consent(address)
  expect(await comeBack(back.replace('/x/', '/threads/'), cookie)).toContain(stale)
  const own = await submitConnectPage(await link(), cookie)
  const swapped = new URL(await consent(own.address))
  swapped.searchParams.set('code', new URL(back).searchParams.get('code') ?? '')
  expect(await comeBack(swapped.href, cookie)).toContain('Not connected')
  const late = await consent((await submitConnectPage(await link(), cookie)).address)
  kit.clock.pass(10 * minutesMs + 1)
  expect(await comeBack(late, cookie)).toContain(stale)
  expect(await comeBack(back, cookie)).toContain(stale)
  expect(await connected()).toBe(0)
})

test('a link works in one browser, repeatedly, and expires after ten minutes', async () => {
  const { link, connected } = await owner('Acme')
  const address = await link()
  const first = await submitConnectPage(address)
  const again = await submitConnectPage(address, first.cookie)
  expect(again.cookie).toBe(first.cookie)
  await expect(submitConnectPage(address)).rejects.toThrow(stale)
  await expect(submitConnectPage(address, `svc_connect=${'y'.repeat(43)}`)).rejects.toThrow(stale)
  expect(await comeBack(await consent(again.address), again.cookie)).toContain('is connected to Acme')
  const old = await link()
  kit.clock.pass(10 * minutesMs + 1)
  const { pathname, search } = new URL(old)
  expect((await browserOf(kit).open(pathname + search)).text).toContain(stale)
  await expect(submitConnectPage(old)).rejects.toThrow()
  expect(await connected()).toBe(1)
})

test('the form rejects cross-site submissions, and its cookie is limited to our pages', async () => {
  const { link } = await owner('Acme')
  const ticket = new URL(await link()).searchParams.get('ticket') ?? ''
  for (const site of ['cross-site', 'same-site', 'none']) {
    const sent = await browserOf(kit).send('/connect-accounts', { ticket }, { 'Sec-Fetch-Site': site })
    expect([sent.status, sent.headers.get('Set-Cookie')]).toEqual([403, null])
  }
  const { status, headers, text } = await browserOf(kit).send('/connect-accounts', { ticket })
  expect(status).toBe(200)
  expect(headers.get('Set-Cookie')).toMatch(/^svc_connect=\w{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
  expect(text).toMatch(/<meta http-equiv="refresh" content="0;url=http[^"]+">/)
})

test.each(browserPlatforms)('%s: connects an account in one browser', async (platform) => {
  expect(await connectOn(kit, platform)).toMatch(/^acc_/)
})
