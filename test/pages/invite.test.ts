import { afterAll, beforeAll, expect, test } from 'vitest'
import { inviteGuest, makeSession } from '../laws/preparations.ts'
import { type Kit, start } from '../support/start.ts'
import { surfer, unescaped } from './surfer.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const invited = async () => {
  const { guest, token } = await inviteGuest(kit)
  return { guest, path: `/invite?token=${token}` }
}

test('an invitation shows what it is about, and its person joins by a button', async () => {
  const { guest, path } = await invited()
  const { open, submit } = surfer(kit, guest.session)
  const page = await open(path)
  expect(page.heading).toBe('You are invited')
  for (const fact of ['Acme', 'Ann', 'member', guest.email]) expect(unescaped(page.text)).toContain(`<dd>${fact}</dd>`)
  const sent = await submit(page, 'invite')
  expect(sent.to).toBe(path)
  expect((await open(path)).heading).toBe('Welcome to Acme')
  const members = await kit.sessionApi.team.listMembers({ params: { id: kit.workspaceId } })
  expect(members.items.map(({ email }) => email)).toContain(guest.email)
})

test('whoever is not signed in is led to a sign-in or a sign-up that comes back', async () => {
  const { path } = await invited()
  const page = await surfer(kit).open(path)
  const back = new URLSearchParams({ return: path })
  expect(unescaped(page.text)).toContain(`href="login?${back}"`)
  expect(unescaped(page.text)).toContain(`href="sign-up?${back}"`)
})

test('somebody else can only sign out, and gets no place by sending the form', async () => {
  const { path } = await invited()
  const { open, send, submit } = surfer(kit, await makeSession(kit))
  const page = await open(path)
  expect(page.text).toContain('This invitation was sent to another address')
  expect(page.text).not.toContain('action="invite"')
  const [, key = ''] = /name="form_key" value="([^"]+)"/.exec(page.text) ?? []
  const forced = await send('/invite', { form_key: key, token: path.split('=')[1] ?? '' })
  expect(forced.status).toBe(403)
  const signedOut = await submit(page, 'sign-out')
  expect(signedOut.to).toBe(`/login?${new URLSearchParams({ notice: 'signed-out', return: path })}`)
})

test('a token that is none says so on a page', async () => {
  const page = await surfer(kit).open('/invite?token=nothing')
  expect([page.status, page.heading]).toEqual([404, 'Something went wrong'])
  expect((await surfer(kit).open('/invite')).status).toBe(400)
})
