import { afterAll, beforeAll, expect, test } from 'vitest'
import { update } from '../../../shared/db/table.ts'
import { members } from '../../../shared/workspaces/workspace.ts'
import { browserOf, unescaped } from '../../pages/test-browser.ts'
import { type Kit, start } from '../../support/start.ts'
import { blueskyLogin, newBlueskyLogin } from '../../support/world/preparations.ts'
import { scanTable } from '../../support/world/rows.ts'
import { refusalOf } from '../answers.ts'

const home = 'https://app.example.com/connected?tenant=7'

let kit: Kit
beforeAll(async () => {
  kit = await start()
  await kit.sessionApi.workspaces.update({ params: { id: kit.workspaceId }, body: { redirectUrls: [home] } })
})
afterAll(() => kit.close())

type Sent = { redirectUrl?: string; state?: string; externalId?: string }

/** A browser at the page of a new link. */
const open = async (body: Sent = {}) => {
  const { authorizeUrl } = await kit.sessionApi.socialAccounts.createBlueskyLink({ body })
  const { pathname, search, searchParams } = new URL(authorizeUrl)
  const ticket = searchParams.get('ticket') ?? ''
  const someone = browserOf(kit)
  const show = () => someone.open(pathname + search)
  const send = (fields: Record<string, string>) => someone.send('/connect-accounts', { ticket, ...fields })
  return { ticket, page: await show(), show, send }
}

const outcomeIn = (text: string, pattern: RegExp) =>
  Object.fromEntries(new URL(unescaped(pattern.exec(text)?.[1] ?? '')).searchParams)
const refresh = /http-equiv="refresh" content="0;url=([^"]+)"/
const backLink = /<a href="([^"]+)"[^>]*>Return to app\.example\.com</

test('the owner signs in on our page and returns to the app with the account', async () => {
  const { page, show, send, ticket } = await open({ redirectUrl: home, state: 'a b', externalId: 'customer-42' })
  expect(page.heading).toMatch(/^Connect Bluesky to /)
  expect(page.text).toMatch(/wants to post to your Bluesky account\. Continue only if you trust [^<]+\.</)
  const sent = await send(newBlueskyLogin)
  expect([sent.status, sent.to]).toEqual([303, `/connect-accounts?ticket=${ticket}`])
  const done = await show()
  const [account] = await kit.sessionApi.socialAccounts.list({ query: { externalId: 'customer-42' } })
  expect(account).toMatchObject({ providerId: 'bluesky', username: newBlueskyLogin.identifier, isConnected: true })
  expect(outcomeIn(done.text, refresh)).toEqual({
    tenant: '7',
    status: 'connected',
    platform: 'bluesky',
    accountId: account?.id,
    state: 'a b',
  })
  const { items } = await kit.sessionApi.workspaces.listAudit({
    params: { id: kit.workspaceId },
    query: { targetId: account?.id ?? '' },
  })
  expect(items[0]).toMatchObject({ action: 'social_account.connected', credential: { type: 'link' } })
  expect(JSON.stringify(await scanTable(kit))).not.toContain(newBlueskyLogin.appPassword)
})

test('without a redirect URL the page leads to the workspace', async () => {
  const { show, send } = await open()
  await send(blueskyLogin)
  const done = await show()
  expect(done.heading).toBe('Connected')
  expect(done.text).toContain(`<a href="${kit.url}/console?workspace=${kit.workspaceId}"`)
})

test('a wrong password, a missing handle, and a forbidden server are reported at their fields; nothing is connected', async () => {
  const { send, show } = await open({ redirectUrl: home })
  const wrong = await send({ identifier: 'ann.test', appPassword: 'wrong-pass-word' })
  expect(wrong.status).toBe(400)
  expect(wrong.text).toMatch(/id="appPassword-error">Bluesky rejected this handle and app password/)
  expect(wrong.text).toContain('value="ann.test"')
  expect(wrong.text).not.toContain('wrong-pass-word')
  const blank = await send({ identifier: '', appPassword: 'x' })
  expect([blank.status, blank.text]).toEqual([400, expect.stringContaining('id="identifier-error"')])
  const inside = await send({ ...blueskyLogin, service: '169.254.169.254' })
  expect([inside.status, inside.text]).toEqual([400, expect.stringContaining('id="service-error"')])
  // The link still works.
  expect((await show()).heading).toMatch(/^Connect Bluesky to /)
})

test('a link connects one account; the form cannot be sent again', async () => {
  const { send, show } = await open()
  const connections = async () => {
    // The log holds back the last 90 seconds.
    kit.clock.pass(120_000)
    const query = { types: 'social_account.connected' }
    return (await kit.sessionApi.webhooks.listEventLog({ query })).items.length
  }
  const before = await connections()
  await Promise.all([send(blueskyLogin), send(blueskyLogin)])
  await send(blueskyLogin)
  expect(await connections()).toBe(before + 1)
  expect((await show()).text).toContain('is connected to')
})

test('a link takes ten logins', async () => {
  const { send } = await open({ redirectUrl: home, state: 's' })
  const guess = { identifier: 'ann.test', appPassword: 'wrong' }
  for (let tries = 1; tries <= 10; tries += 1) expect((await send(guess)).status).toBe(400)
  const last = await send(blueskyLogin)
  expect(last.heading).toBe('Not connected')
  expect(outcomeIn(last.text, backLink)).toMatchObject({ status: 'failed', error: 'invalid_app_password', state: 's' })
})

test('a person who is late, cancels, or lost access is redirected back with the reason', async () => {
  const { page } = await open({ redirectUrl: home })
  const cancel = /<a href="([^"]+)"[^>]*>Cancel and return to app\.example\.com</
  expect(outcomeIn(page.text, cancel)).toMatchObject({ status: 'cancelled', platform: 'bluesky' })

  const gone = await open({ redirectUrl: home })
  const member = members.key({ workspaceId: kit.workspaceId, userId: kit.user.id })
  await update(kit.ctx, member, { set: { status: 'suspended' } })
  const answers = [await gone.send(blueskyLogin), await gone.show()]
  await update(kit.ctx, member, { set: { status: 'active' } })
  for (const { text } of answers) {
    expect(outcomeIn(text, backLink)).toMatchObject({ status: 'failed', error: 'not_a_member' })
  }

  const late = await open({ redirectUrl: home })
  kit.clock.pass(10 * 60_000 + 1)
  const { text } = await late.send(blueskyLogin)
  expect(outcomeIn(text, backLink)).toMatchObject({ status: 'failed', error: 'connect_link_expired' })
})

test('a redirect URL must be allowed', async () => {
  const elsewhere = { redirectUrl: 'https://evil.example/' }
  expect(await refusalOf(kit.sessionApi.socialAccounts.createBlueskyLink({ body: elsewhere }))).toMatchObject({
    status: 400,
    code: 'redirect_url_not_allowed',
    field: 'redirectUrl',
  })
})
