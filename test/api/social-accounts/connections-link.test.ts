import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { submitConnectPage } from '../../../infra/local/demo/submit-connect-page.ts'
import { update } from '../../../shared/db/table.ts'
import { socialAccounts } from '../../../shared/social-accounts/social-account.ts'
import { dayMs, hourMs, minuteMs } from '../../../shared/time.ts'
import { members } from '../../../shared/workspaces/workspace.ts'
import { browserOf, type Seen, unescaped } from '../../pages/test-browser.ts'
import { type Kit, start } from '../../support/start.ts'
import { blueskyLogin, makeWorkspace } from '../../support/world/preparations.ts'
import { refusalOf } from '../answers.ts'

const home = 'https://app.example.com/settings?tenant=7'
const hostile = `<img src=x onerror="alert('1')"> & Söhne`
const customer = 'customer-42'

let kit: Kit
let own: string
let foreign: string

/** The row of an account of the workspace. */
const keyOf = (id: string) => socialAccounts.key({ workspaceId: kit.workspaceId, id })

beforeAll(async () => {
  kit = await start()
  await kit.sessionApi.workspaces.update({ params: { id: kit.workspaceId }, body: { redirectUrls: [home] } })
  const others = await kit.sessionApi.socialAccounts.list({})
  own = kit.accounts.bluesky
  foreign = others.find(({ id }) => id !== own)?.id ?? ''
  await kit.sessionApi.socialAccounts.update({ params: { id: foreign }, body: { externalId: 'customer-43' } })
  await update(kit.ctx, keyOf(foreign), { set: { displayName: 'Of somebody else' } })
})
afterAll(() => kit.close())
beforeEach(async () => {
  const body = { ...blueskyLogin, externalId: customer }
  await kit.sessionApi.socialAccounts.connectBluesky({ body })
  await update(kit.ctx, keyOf(own), { set: { displayName: hostile } })
})

type Sent = Partial<Parameters<Kit['api']['socialAccounts']['createConnectionsLink']>[0]['body']>

/** A browser at the page of a new link. */
const open = async (body: Sent = {}, api: Kit['api'] = kit.api) => {
  const link = await api.socialAccounts.createConnectionsLink({ body: { externalId: customer, ...body } })
  const { pathname, search, searchParams } = new URL(link.url)
  const ticket = searchParams.get('ticket') ?? ''
  const someone = browserOf(kit)
  const show = (more = '') => someone.open(pathname + search + more)
  const send = (act: string, account: string, headers: Record<string, string> = {}) =>
    someone.send('/connect-accounts', { ticket, act, account }, headers)
  return { ...link, ticket, page: await show(), show, send, someone }
}

const headings = ({ text }: Seen) => [...text.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, name = '']) => unescaped(name))
const stateOf = async (id: string) => {
  const accounts = await kit.sessionApi.socialAccounts.list({})
  return accounts.find((account) => account.id === id)?.isConnected
}

test('the page lists the connections of the customer alone, in plain text, and escapes their names', async () => {
  // Another workspace has an account of a customer with the same ID.
  const { id: workspaceId } = await makeWorkspace(kit)
  const elsewhere = { ...blueskyLogin, externalId: customer }
  await kit.sessionApi.socialAccounts.connectBluesky({ body: elsewhere, workspaceId })
  const { page, show } = await open({ redirectUrl: home })
  expect([page.status, unescaped(page.heading ?? '')]).toEqual([200, 'Your accounts at Acme'])
  expect(headings(page)).toEqual([`Bluesky: ${hostile}`])
  expect(page.text).toContain('<p>Connected. Acme can post to it.</p>')
  expect(page.text).toContain(`<a href="${home}" rel="noreferrer">Return to app.example.com</a>`)
  expect(page.text).not.toMatch(/<img|<script|Of somebody else|customer-4/)
  expect(page.headers.get('Content-Security-Policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^;]+; form-action/,
  )
  await update(kit.ctx, keyOf(own), { set: { needsReconnect: true } })
  expect((await show()).text).toContain('Bluesky rejects the login. Posts fail until you connect the account again.')
  const emptyLink = await open({ externalId: 'customer-4' })
  expect([headings(emptyLink.page), emptyLink.page.text]).toEqual([
    [],
    expect.stringContaining('No account is connected.'),
  ])
})

test('the customer ends a connection after a question, as if the builder had; a second form changes nothing', async () => {
  kit.clock.pass(1000)
  const scheduledAt = new Date(kit.clock.now() + 365 * dayMs).toISOString()
  await kit.api.posts.schedule({ body: { socialAccountIds: [own], content: 'Not published', scheduledAt } })
  const { id, show, someone, page, send } = await open()
  const [, address = ''] = /<a href="([^"]+)">Disconnect</.exec(page.text) ?? []
  const question = await someone.open(`/${unescaped(address)}`)
  expect(unescaped(question.heading ?? '')).toBe(`Disconnect Bluesky: ${hostile}?`)
  expect(await stateOf(own)).toBe(true)
  const done = await someone.submit(question, 'connect-accounts')
  expect(done.status).toBe(200)
  expect(done.text).toMatch(/role="status">Bluesky access was revoked\. 1 scheduled post will fail unless/)
  expect(done.text).toContain('Disconnected. Posts fail until you connect the account again.')
  expect(await stateOf(own)).toBe(false)
  const again = await send('disconnect', own)
  expect([again.status, again.text]).toEqual([404, expect.stringContaining('This account is not connected.')])
  expect((await show(`&account=${own}`)).heading).toBe('Your accounts at Acme')

  kit.clock.pass(2 * minuteMs)
  const query = { types: 'social_account.disconnected', accountExternalId: customer }
  const { items: ended } = await kit.sessionApi.webhooks.listEventLog({ query })
  expect(ended).toMatchObject([{ data: { socialAccountId: own, externalId: customer } }])
  const { items } = await kit.sessionApi.workspaces.listAudit({
    params: { id: kit.workspaceId },
    query: { targetId: own, action: 'social_account.disconnected' },
  })
  expect(items).toMatchObject([
    { actor: { userId: null }, credential: { type: 'link', id, client: 'customer' }, ip: expect.any(String) },
  ])
})

test('two concurrent forms end a connection once', async () => {
  const { send } = await open()
  const sent = await Promise.all([send('disconnect', own), send('disconnect', own)])
  expect(sent.map(({ status }) => status).sort()).toEqual([200, 404])
})

test('a link reaches no account of another user, and returns the same as for a missing one', async () => {
  const { show, send } = await open()
  for (const id of [foreign, 'acc_nobody', '', '__proto__']) {
    const question = await show(`&account=${id}`)
    expect([question.heading, headings(question)]).toEqual(['Your accounts at Acme', [`Bluesky: ${hostile}`]])
    for (const act of ['disconnect', 'connect']) {
      const refused = await send(act, id)
      expect([refused.status, refused.text]).toEqual([404, expect.stringContaining('>This account is not connected.<')])
      expect(refused.text).not.toContain('Of somebody else')
    }
  }
  expect(await stateOf(foreign)).toBe(true)
  expect((await send('disconnect', own, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
  expect(await stateOf(own)).toBe(true)
})

test('an expired or revoked link shows and changes nothing', async () => {
  const [short, revoked] = [await open({ expiresInSeconds: 60, redirectUrl: home }), await open()]
  await kit.api.socialAccounts.revokeLink({ params: { id: revoked.id } })
  kit.clock.pass(60_001)
  for (const { show, send } of [short, revoked]) {
    for (const seen of [await show(), await show(`&account=${own}`), await send('disconnect', own)]) {
      expect([seen.heading, headings(seen)]).toEqual(['Link expired', []])
      expect(seen.text).toContain('This link has expired. Ask for another one.')
    }
  }
  expect((await short.show()).text).toContain(`href="${home}"`)
  expect(await stateOf(own)).toBe(true)
})

test('a link ends with the access of the person who made it', async () => {
  const { show, send } = await open()
  const member = members.key({ workspaceId: kit.workspaceId, userId: kit.user.id })
  await update(kit.ctx, member, { set: { status: 'suspended' } })
  for (const seen of [await show(), await send('disconnect', own), await send('connect', own)]) {
    expect([headings(seen), seen.heading]).toEqual([[], 'Not connected'])
  }
  await update(kit.ctx, member, { set: { status: 'active' } })
  expect(await stateOf(own)).toBe(true)
})

test('a lost connection is connected again by the flow of its platform, and keeps its ID and its owner', async () => {
  const made = await kit.api.socialAccounts.connect({ params: { platform: 'x' }, body: { externalId: customer } })
  const logIn = async (url: string) => {
    const { address, cookie } = await submitConnectPage(url)
    const init = { method: 'POST', body: new URLSearchParams({ answer: 'allow' }), redirect: 'manual' } as const
    const back = (await fetch(address, init)).headers.get('Location') ?? ''
    return fetch(back, { headers: { cookie }, redirect: 'manual' })
  }
  await logIn(made.authorizeUrl)
  const onX = async () => {
    const accounts = await kit.api.socialAccounts.list({ query: { externalId: customer } })
    return accounts.find(({ providerId }) => providerId === 'x')
  }
  const id = (await onX())?.id ?? ''
  const { send, show } = await open({ redirectUrl: home, state: 's', expiresInSeconds: hourMs / 1000 })
  expect((await send('disconnect', id)).status).toBe(200)
  const next = await send('connect', id)
  expect([next.status, next.to]).toEqual([303, expect.stringMatching(/^\/connect-accounts\?ticket=/)])
  const back = new URL((await logIn(kit.url + next.to)).headers.get('Location') ?? '')
  expect(Object.fromEntries(back.searchParams)).toEqual({
    tenant: '7',
    status: 'connected',
    platform: 'x',
    accountId: id,
    state: 's',
  })
  expect(await onX()).toMatchObject({ id, isConnected: true, externalId: customer })
  expect(headings(await show())).toHaveLength(2)
  for (let count = 1; count < 30; count += 1) expect((await send('connect', id)).status).toBe(303)
  const refused = await send('connect', id)
  expect(refused.text).toContain('Accounts were connected too often with this link. Ask for another link.')
})

test.each<[Sent, string]>([
  [{ externalId: '' }, 'externalId'],
  [{ externalId: 'c'.repeat(201) }, 'externalId'],
  [{ expiresInSeconds: 59 }, 'expiresInSeconds'],
  [{ expiresInSeconds: (7 * dayMs) / 1000 + 1 }, 'expiresInSeconds'],
  [{ redirectUrl: 'https://evil.example' }, 'redirectUrl'],
  [{ state: 's' }, 'state'],
])('rejects %j', async (body, field) => {
  expect(await refusalOf(open(body))).toMatchObject({ status: 400, field })
})

test('a link without a customer is rejected, and one of seven days works', async () => {
  const made = kit.api.socialAccounts.createConnectionsLink({ body: {} as { externalId: string } })
  expect(await refusalOf(made)).toMatchObject({ status: 400, field: 'externalId' })
  const { expiresAt } = await open({ expiresInSeconds: (7 * dayMs) / 1000 })
  expect(expiresAt).toBe(new Date(kit.clock.now() + 7 * dayMs).toISOString())
})
