import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, client } from '../../../functions/client.ts'
import { submitConnectPage } from '../../../infra/local/demo/submit-connect-page.ts'
import { openSession } from '../../../shared/identity/open-session.ts'
import { random62 } from '../../../shared/ids.ts'
import { dayMs } from '../../../shared/time.ts'
import { callTool, connectedAssistant, mcpClient } from '../../mcp/assistant.ts'
import { type Kit, start } from '../../support/start.ts'
import { password, settle } from '../../support/world/preparations.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

/** A user with their own workspace and a session. */
const resident = async () => {
  const email = `${random62(12).toLowerCase()}@mail.test`
  const { userId } = await settle(kit.ctx, email, 'Ann')
  const { token } = await openSession(kit.ctx, { email, userId, name: 'Ann', userAgent: 'node' })
  const person = client({ baseUrl: kit.url, token })
  const { id: workspaceId } = await person.workspaces.create({ body: { name: 'Acme', timezone: 'UTC' } })
  return { email, workspaceId, person, session: client({ baseUrl: kit.url, token, workspaceId }) }
}
type Resident = Awaited<ReturnType<typeof resident>>

const expiresInSeconds = (7 * dayMs) / 1000

/** The pages of the links that a caller makes: to connect X, to choose a platform, and to the connections of a customer. */
const linksOf = async ({ socialAccounts }: Client) => {
  const one = await socialAccounts.connect({ params: { platform: 'x' }, body: { expiresInSeconds } })
  const any = await socialAccounts.createLink({ body: { expiresInSeconds } })
  const own = await socialAccounts.createConnectionsLink({
    body: { externalId: 'customer-42', expiresInSeconds },
  })
  const made = [one.authorizeUrl, any.authorizeUrl, own.url]
  return { address: one.authorizeUrl, pages: () => Promise.all(made.map(async (url) => (await fetch(url)).text())) }
}

/** Presses the button of a link's page. */
const press = (address: string, fields: Record<string, string> = {}) => {
  const ticket = new URL(address).searchParams.get('ticket') ?? ''
  const body = new URLSearchParams({ ticket, ...fields })
  return fetch(new URL('/connect-accounts', kit.url), {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { origin: kit.url },
  })
}

const ended = expect.stringContaining('The access that this link was made with has ended. Ask for another link.')
const allEnded = [ended, ended, ended]
const works = [/Connect with X/, /Choose|Connect/, /No account is connected/].map((text) => expect.stringMatching(text))

/** Ways in which links are made, and what ends them. */
const ways: Record<string, (of: Resident) => Promise<{ api: Client; end: () => Promise<unknown> }>> = {
  'a personal access token that is revoked': async ({ person, workspaceId }) => {
    const body = { name: 'ci', workspaceId, scopes: ['accounts:write'] }
    const { id, token } = await person.cli.createToken({ body })
    const api = client({ baseUrl: kit.url, token, workspaceId })
    return { api, end: () => person.cli.revokeToken({ params: { id } }) }
  },
  'a token of an application that is revoked': async ({ session, workspaceId }) => {
    await session.application.register({ body: { name: 'Planner' } })
    const { id, token } = await session.application.createToken({ body: { name: 'Backend' } })
    const backend = client({ baseUrl: kit.url, token, workspaceId })
    const child = await backend.application.createWorkspace({ body: { name: 'One', timezone: 'UTC' } })
    const api = client({ baseUrl: kit.url, token, workspaceId: child.id })
    return { api, end: () => session.application.revokeToken({ params: { id } }) }
  },
  'a session before the password was changed': async ({ session }) => ({
    api: session,
    end: () =>
      session.auth.changePassword({ body: { currentPassword: password, newPassword: 'another good password' } }),
  }),
}

test.each(Object.entries(ways))('the links of %s show and connect nothing', async (_, way) => {
  const of = await resident()
  const { api, end } = await way(of)
  const { address, pages } = await linksOf(api)
  expect(await pages()).toEqual(works)
  const begun = await submitConnectPage(address)
  await end()
  expect(await pages()).toEqual(allEnded)
  expect(await (await press(address)).text()).toEqual(ended)
  // Nor does a login that has begun.
  const allowed = { method: 'POST', body: new URLSearchParams({ answer: 'allow' }), redirect: 'manual' } as const
  const back = (await fetch(begun.address, allowed)).headers.get('Location') ?? ''
  expect(await (await fetch(back, { headers: { cookie: begun.cookie } })).text()).toEqual(ended)
})

test('the link of an assistant ends when the assistant is disconnected', async () => {
  const { token } = await connectedAssistant(kit)
  const { data } = await callTool(await mcpClient(kit, token), 'connect_account', { platform: 'x' })
  const show = async () => (await fetch(String(data?.['authorizeUrl']))).text()
  expect(await show()).toContain('Connect with X')
  const params = { id: kit.workspaceId }
  const { items } = await kit.sessionApi.workspaces.listConnections({ params })
  await kit.sessionApi.workspaces.revokeConnection({ params: { ...params, connectionId: items[0]?.id ?? '' } })
  expect(await show()).toEqual(ended)
})

test('the link for a platform that a page made ends with the first link', async () => {
  const { session } = await resident()
  const { authorizeUrl } = await session.socialAccounts.createLink({ body: {} })
  const answer = await press(authorizeUrl, { platform: 'x' })
  const chosen = new URL(answer.headers.get('Location') ?? '', kit.url)
  const show = async () => (await fetch(chosen)).text()
  expect(await show()).toContain('Connect with X')
  await session.auth.changePassword({ body: { currentPassword: password, newPassword: 'another good password' } })
  expect(await show()).toEqual(ended)
})

test('the links of a token end when it expires, before their own time', async () => {
  const { person, workspaceId } = await resident()
  const body = { name: 'ci', workspaceId, scopes: ['accounts:write'], expiresInDays: 1 }
  const { token } = await person.cli.createToken({ body })
  const { pages } = await linksOf(client({ baseUrl: kit.url, token, workspaceId }))
  kit.clock.pass(dayMs - 1)
  expect(await pages()).toEqual(works)
  kit.clock.pass(1)
  expect(await pages()).toEqual(allEnded)
})

test('the links of a token stay with it when the password is changed', async () => {
  const { person, session, workspaceId } = await resident()
  const { token } = await person.cli.createToken({ body: { name: 'ci', workspaceId, scopes: ['accounts:write'] } })
  const { pages } = await linksOf(client({ baseUrl: kit.url, token, workspaceId }))
  await session.auth.changePassword({ body: { currentPassword: password, newPassword: 'another good password' } })
  expect(await pages()).toEqual(works)
})
