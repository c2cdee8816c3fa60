import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Kit, start } from '../support/start.ts'
import { inviteGuest, makeSession } from '../support/world/preparations.ts'
import { browserOf, unescaped } from './test-browser.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const invited = async () => {
  const { guest, token } = await inviteGuest(kit)
  return { guest, path: `/invite?token=${token}` }
}

test('an invitation shows its details, and the invited person joins with a button', async () => {
  const { guest, path } = await invited()
  const { open, submit } = browserOf(kit, guest.session)
  const page = await open(path)
  expect(page.heading).toBe('You are invited')
  for (const value of ['Acme', 'Ann', 'member', guest.email])
    expect(unescaped(page.text)).toContain(`<dd>${value}</dd>`)
  const sent = await submit(page, 'invite')
  expect(sent.to).toBe(path)
  expect((await open(path)).heading).toBe('Welcome to Acme')
  const members = await kit.sessionApi.team.listMembers({ params: { id: kit.workspaceId } })
  expect(members.items.map(({ email }) => email)).toContain(guest.email)
})

test('a visitor without a session is sent to sign-in or sign-up and returned', async () => {
  const { path } = await invited()
  const page = await browserOf(kit).open(path)
  const back = new URLSearchParams({ return: path })
  expect(unescaped(page.text)).toContain(`href="login?${back}"`)
  expect(unescaped(page.text)).toContain(`href="sign-up?${back}"`)
})

test('another person can only sign out, and submitting the form does not add them', async () => {
  const { path } = await invited()
  const { open, send, submit } = browserOf(kit, await makeSession(kit))
  const page = await open(path)
  expect(page.text).toContain('This invitation was sent to another address')
  expect(page.text).not.toContain('action="invite"')
  const [, key = ''] = /name="form_key" value="([^"]+)"/.exec(page.text) ?? []
  const forced = await send('/invite', { form_key: key, token: path.split('=')[1] ?? '' })
  expect(forced.status).toBe(403)
  const signedOut = await submit(page, 'sign-out')
  expect(signedOut.to).toBe(`/login?${new URLSearchParams({ notice: 'signed-out', return: path })}`)
})

test('an invalid token shows a page that says so', async () => {
  const page = await browserOf(kit).open('/invite?token=nothing')
  expect([page.status, page.heading]).toEqual([404, 'Something went wrong'])
  expect((await browserOf(kit).open('/invite')).status).toBe(400)
})
