import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { submitConnectPage } from '../../../infra/local/demo/submit-connect-page.ts'
import { update } from '../../../shared/db/table.ts'
import type { Connection } from '../../../shared/platforms/account.ts'
import { createChoice } from '../../../shared/social-accounts/choice.ts'
import { members, type Workspace, workspaces } from '../../../shared/workspaces/workspace.ts'
import { browserOf } from '../../pages/test-browser.ts'
import { type Kit, start } from '../../support/start.ts'
import { makeSignedIn } from '../../support/world/preparations.ts'

const lifeMs = 10 * 60_000
const staleText = 'This link has expired or was already used. Start again from your workspace.'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

/** A user with a session and their own workspace. */
const newcomer = async () => {
  const { token, email } = await makeSignedIn(kit)
  const alone = client({ baseUrl: kit.url, token })
  const { id: workspaceId } = await alone.workspaces.create({ body: { name: 'Acme', timezone: 'UTC' } })
  const api = client({ baseUrl: kit.url, token, workspaceId })
  const { user } = await alone.auth.getSession()
  const workspace = await workspaces.get(kit.ctx, { id: workspaceId })
  if (workspace === undefined) throw new Error('the workspace is not there')
  const names = async () => (await api.socialAccounts.list()).map(({ displayName }) => displayName)
  return { token, email, userId: user.id, workspaceId, workspace, api, names }
}

const server = (n: number, name: string): Connection => ({
  platform: 'discord',
  providerName: 'Discord',
  externalId: `130000000000000090${n}`,
  username: name,
  displayName: name,
  profileImageUrl: null,
  credentials: { accessToken: `secret of ${name}` },
  details: {},
})
const offered = [server(0, 'Alpha'), server(1, '<b>Beta</b>'), server(2, 'Gamma')]

/** A login that opens three accounts, and the page that asks which ones. */
const offer = async ({ workspace, userId }: { workspace: Workspace; userId: string }) => {
  const intent = { userId, workspaceId: workspace.id, platform: 'discord' as const }
  const ticket = await createChoice(kit.ctx, workspace, intent, offered)
  const { open, send } = browserOf(kit)
  const show = () => open(`/connect-accounts?ticket=${ticket}`)
  /** Ticks boxes and sends the form; returns the resulting page. */
  const choose = async (...indexes: number[]) => {
    const boxes = Object.fromEntries(indexes.map((index) => [`account_${index}`, 'yes']))
    const { to = '', status } = await send('/connect-accounts', { ticket, ...boxes })
    expect([status, to]).toEqual([303, expect.stringMatching(/^\/connect-accounts\?ticket=/)])
    return open(to)
  }
  return { ticket, show, choose }
}

describe('a login that grants access to several accounts', () => {
  test('asks which ones to connect, and connects the selected ones', async () => {
    const person = await newcomer()
    const { show, choose } = await offer(person)
    const page = await show()
    expect(page.heading).toBe('Select accounts')
    expect(page.text).toContain('&lt;b&gt;Beta&lt;/b&gt;')
    expect(page.text).not.toContain('secret of')
    expect(await person.names()).toEqual([])
    const result = await choose(1, 2)
    expect(result.heading).toBe('Connected')
    expect(result.text).toContain('Discord: &lt;b&gt;Beta&lt;/b&gt; is connected to Acme.')
    expect(result.text).toContain('Discord: Gamma is connected to Acme.')
    expect(result.text).not.toContain('Alpha')
    expect((await person.names()).toSorted()).toEqual(['<b>Beta</b>', 'Gamma'])
    // The page may be loaded again, for as long as the ticket is fresh.
    expect((await show()).text).toBe(result.text)
    kit.clock.pass(lifeMs)
    expect((await show()).text).toBe(result.text)
    kit.clock.pass(1)
    expect((await show()).text).toContain(staleText)
  })

  test('connects one or all of them', async () => {
    const [one, all] = [await newcomer(), await newcomer()]
    await (await offer(one)).choose(0)
    expect(await one.names()).toEqual(['Alpha'])
    await (await offer(all)).choose(0, 1, 2)
    expect(await all.names()).toHaveLength(3)
  })

  test.each([
    ['no box', []],
    ['a box that is not there', [3]],
  ])('with %s ticked asks again, and loses nothing', async (_, indexes) => {
    const person = await newcomer()
    const { choose } = await offer(person)
    const again = await choose(...indexes)
    expect([again.heading, again.text.includes('Select at least one.')]).toEqual(['Select accounts', true])
    expect(await person.names()).toEqual([])
    expect((await choose(0)).heading).toBe('Connected')
  })

  test('accepts one selection: repeated and concurrent submissions connect nothing more', async () => {
    const person = await newcomer()
    const { choose } = await offer(person)
    await choose(0)
    const replayed = await choose(1)
    expect(replayed.text).toContain('Alpha is connected')
    expect(await person.names()).toEqual(['Alpha'])
    const racer = await newcomer()
    const race = await offer(racer)
    await Promise.all([race.choose(0), race.choose(1)])
    expect(await racer.names()).toHaveLength(1)
  })

  test('expires after ten minutes', async () => {
    const person = await newcomer()
    const { show, choose } = await offer(person)
    kit.clock.pass(lifeMs)
    expect((await show()).heading).toBe('Select accounts')
    kit.clock.pass(1)
    for (const late of [await show(), await choose(0)]) expect(late.text).toContain(staleText)
    expect(await person.names()).toEqual([])
  })

  test('rejects a person without access to the workspace', async () => {
    const [person, stranger] = [await newcomer(), await newcomer()]
    const closed = 'The access that this link was made with has ended.'
    const { show, choose } = await offer(person)
    const member = members.key({ workspaceId: person.workspaceId, userId: person.userId })
    await update(kit.ctx, member, { set: { status: 'suspended' } })
    for (const shut of [await show(), await choose(0)]) expect(shut.text).toContain(closed)
    await update(kit.ctx, member, { set: { status: 'active' } })
    expect(await person.names()).toEqual([])
    const foreign = await offer({ workspace: person.workspace, userId: stranger.userId })
    expect((await foreign.choose(0)).text).toContain(closed)
    expect(await person.names()).toEqual([])
    expect(await stranger.names()).toEqual([])
  })

  test('is reachable with its ticket only', async () => {
    const { open, send } = browserOf(kit)
    for (const ticket of ['', 'x', 'x'.repeat(43), '../STATE']) {
      expect((await open(`/connect-accounts?${new URLSearchParams({ ticket })}`)).text).toContain(staleText)
      const { to = '' } = await send('/connect-accounts', { ticket, account_0: 'yes' })
      expect((await open(to)).text).toContain(staleText)
    }
    expect((await open(`/connect-accounts?ticket=${'x'.repeat(101)}`)).status).toBe(400)
    expect((await open('/connect-accounts')).status).toBe(400)
  })
})

describe('a started login', () => {
  /** Goes to a platform's page, approves, and stops before the redirect back. */
  const goTo = async (person: Awaited<ReturnType<typeof newcomer>>, platform: 'x' | 'discord') => {
    const { authorizeUrl } = await person.api.socialAccounts.connect({ params: { platform } })
    const { address, cookie } = await submitConnectPage(authorizeUrl)
    const body = new URLSearchParams({ answer: 'allow' })
    const { headers } = await fetch(address, { method: 'POST', body, redirect: 'manual' })
    return { cookie, query: Object.fromEntries(new URL(headers.get('Location') ?? '').searchParams) }
  }
  const arrive = async (
    platform: string,
    { query, cookie }: { query: Readonly<Record<string, string>>; cookie: string },
  ) => {
    const path = `/api/social-accounts/connect/${platform}/callback?${new URLSearchParams(query)}`
    return (await fetch(`${kit.url}${path}`, { headers: { cookie } })).text()
  }

  test('is rejected at another platform, and stays valid at its own', async () => {
    const person = await newcomer()
    const back = await goTo(person, 'discord')
    expect(await arrive('x', back)).toContain(staleText)
    expect(await arrive('discord', back)).toContain('is connected to Acme')
    expect(await person.names()).toHaveLength(1)
  })

  test('is not finished by the code of another person', async () => {
    const [ann, bea] = [await newcomer(), await newcomer()]
    const [ofAnn, ofBea] = [await goTo(ann, 'x'), await goTo(bea, 'x')]
    const swapped = await arrive('x', { ...ofBea, query: { ...ofBea.query, code: ofAnn.query['code'] ?? '' } })
    expect(swapped).toContain('Not connected')
    // Both are used up: the state by its visit, the code by being shown.
    expect(await arrive('x', ofBea)).toContain(staleText)
    expect(await ann.names()).toEqual([])
    expect(await bea.names()).toEqual([])
  })

  test('its state is not a ticket, and a ticket is not a state', async () => {
    const person = await newcomer()
    const { query, cookie } = await goTo(person, 'discord')
    const { state = '' } = query
    const { open } = browserOf(kit)
    expect((await open(`/connect-accounts?ticket=${state}`)).text).toContain(staleText)
    const { ticket, choose } = await offer(person)
    expect(await arrive('discord', { cookie, query: { state: ticket, code: 'any' } })).toContain(staleText)
    expect((await choose(0)).heading).toBe('Connected')
  })

  test('expires after ten minutes, and after one callback', async () => {
    const person = await newcomer()
    const old = await goTo(person, 'x')
    kit.clock.pass(lifeMs + 1)
    expect(await arrive('x', old)).toContain(staleText)
    const back = await goTo(person, 'x')
    expect(await arrive('x', back)).toContain('is connected to Acme')
    expect(await arrive('x', back)).toContain(staleText)
    expect(await person.names()).toHaveLength(1)
  })
})
