import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { definitions } from '../../shared/platforms/definitions.ts'
import { platformIds } from '../../shared/resources.ts'
import { type Kit, start } from '../support/start.ts'
import { blueskyLogin, makeGuest, makePerson } from '../support/world/preparations.ts'
import { browserOf, unescaped } from './test-browser.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const tokenIn = (text: string) => /svc_pat_\w+/.exec(text)?.[0] ?? ''

test('a newcomer goes from the landing page to a workspace, an account, a token, and a scheduled post', async () => {
  const someone = browserOf(kit)
  const landing = await someone.open('/')
  expect(landing.text).toContain('<a href="sign-up">Create an account</a>')
  const person = await makePerson(kit)
  const signedIn = await someone.send('/login', person)
  expect(signedIn.to).toBe('/console')
  expect((await someone.open('/')).to).toBe('/console')
  const empty = await someone.open('/workspaces')
  expect(empty.text).toContain('Create your first one.')
  const created = await someone.submit(empty, 'workspaces', { name: 'Bakery', timezone: 'Europe/Berlin' })
  expect(created.to).toMatch(/^\/console\?workspace=ws_\w+$/)
  const workspaceId = created.to?.split('=')[1] ?? ''
  const address = `/workspace?id=${workspaceId}`
  const page = await someone.open(address)
  expect(page.heading).toBe('Bakery')
  expect(page.text).toContain('No account is connected yet.')
  const connected = await someone.submit(page, 'workspace-connect', { platform: 'bluesky', ...blueskyLogin })
  const after = await someone.open(connected.to ?? '')
  expect(after.text).toContain('Bluesky is connected.')
  expect(after.text).toContain('<span class="soft">Connected</span>')
  const shown = await someone.submit(after, 'workspace-token', { name: 'Program', rights: 'publish' })
  const api = client({ baseUrl: kit.url, token: tokenIn(shown.text), workspaceId })
  const [account] = await api.socialAccounts.list()
  const scheduledAt = new Date(kit.clock.now() + 3_600_000).toISOString()
  const body = { socialAccountIds: [account?.id ?? ''], content: 'Fresh bread', scheduledAt }
  expect(await api.posts.schedule({ body })).toMatchObject([{ status: 'scheduled' }])
  expect((await someone.open(address)).text).not.toContain(tokenIn(shown.text))
})

/** Their login is on the page itself. */
const withForm = new Set<string>(definitions.flatMap(({ id, connect }) => (connect === 'oauth' ? [] : [id])))

test('each platform of the workspace page leads to the page that connects it', async () => {
  const someone = browserOf(kit, kit.sessionToken)
  const page = await someone.open(`/workspace?id=${kit.workspaceId}`)
  const platforms = [...page.text.matchAll(/name="platform" value="(\w+)"/g)].map(([, platform = '']) => platform)
  expect(platforms).toHaveLength(platformIds.length)
  for (const platform of platforms.filter((candidate) => !withForm.has(candidate))) {
    const { to = '' } = await someone.submit(page, 'workspace-connect', { platform })
    expect(to, platform).toMatch(/^\/connect-accounts\?ticket=\w+$/)
    expect((await someone.open(to)).status, platform).toBe(200)
  }
})

test.each([
  ['workspaces', { name: '', timezone: 'UTC' }, 400, 'Name'],
  ['workspaces', { name: 'Bakery', timezone: '+01:00' }, 400, 'must be an IANA time zone'],
  ['workspace-token', { name: '', rights: 'publish' }, 400, 'Name of the token'],
  ['workspace-token', { name: 'Program', rights: 'root' }, 400, 'rights'],
  ['workspace-connect', { platform: 'bluesky', identifier: 'ann.test', appPassword: 'wrong' }, 400, 'app password'],
  ['workspace-connect', { platform: 'myspace' }, 400, 'platform'],
])('%s with %j is shown again with the error', async (action, fields, status, message) => {
  const someone = browserOf(kit, kit.sessionToken)
  const page = await someone.open(action === 'workspaces' ? '/workspaces' : `/workspace?id=${kit.workspaceId}`)
  const seen = await someone.submit(page, action, fields as Record<string, string>)
  expect(seen.status).toBe(status)
  expect(seen.heading).toBe(page.heading)
  expect(unescaped(seen.text)).toMatch(new RegExp(`role="alert">[^<]*${message}|class="error"[^>]*>[^<]*${message}`))
})

test('a stranger sees and changes nothing of a workspace', async () => {
  const stranger = browserOf(kit, (await makeGuest(kit)).session)
  const own = await stranger.open('/workspaces')
  const [, formKey = ''] = /name="form_key" value="([^"]+)"/.exec(own.text) ?? []
  const page = await stranger.open(`/workspace?id=${kit.workspaceId}`)
  expect(page.heading).toBe('No such workspace')
  const workspaceForm = { form_key: formKey, id: kit.workspaceId }
  for (const [path, fields] of [
    ['/workspace-token', { name: 'Program', rights: 'all' }],
    ['/workspace-connect', { platform: 'bluesky', ...blueskyLogin }],
    ['/workspace-connect', { platform: 'x' }],
  ] as const) {
    const seen = await stranger.send(path, { ...workspaceForm, ...fields })
    expect([seen.status, seen.heading], path).toEqual([403, 'No such workspace'])
    expect(seen.text, path).not.toContain('svc_pat_')
  }
})

test('a signed-out visitor is redirected to sign-in and back', async () => {
  const visitor = browserOf(kit)
  expect((await visitor.open('/workspaces')).to).toBe('/login?return=%2Fworkspaces')
  const { to } = await visitor.open(`/workspace?id=${kit.workspaceId}`)
  expect(to).toBe(`/login?return=${encodeURIComponent(`/workspace?id=${kit.workspaceId}`)}`)
})
