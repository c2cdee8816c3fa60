import { expect, test } from 'vitest'
import { refusalOf } from '../answers.ts'
import { makeTeam, serveFile } from '../team/team.ts'

serveFile()

test('owners and admins change name, logo, and time zone; omitted fields and the slug stay', async () => {
  const { id, slug, owner, params, inside, join } = await makeTeam()
  const { workspaces } = inside(owner)
  const before = await workspaces.get({ params })
  const logo = 'https://cdn.example.com/logo.png'
  expect(await workspaces.update({ params, body: { name: ' Bakery ', logo } })).toEqual({
    ...before,
    name: 'Bakery',
    logo,
    slug,
  })
  const admin = await join('admin')
  const changed = await inside(admin).workspaces.update({ params, body: { timezone: 'Asia/Tokyo', logo: null } })
  expect(changed).toMatchObject({ id, name: 'Bakery', logo: null, timezone: 'Asia/Tokyo', role: 'admin' })
  expect(await workspaces.update({ params, body: {} })).toEqual({ ...changed, role: 'owner' })
  expect(await workspaces.get({ params })).toEqual({ ...changed, role: 'owner' })
})

test('a member cannot change anything', async () => {
  const { params, inside, join } = await makeTeam()
  const { workspaces } = inside(await join())
  expect(await refusalOf(workspaces.update({ params, body: { name: 'Mine' } }))).toMatchObject({
    status: 403,
    code: 'insufficient_role',
  })
  expect(await workspaces.get({ params })).toMatchObject({ name: 'Acme' })
})

const httpsRule = 'must be an https URL'

test.each([
  ['logo', { logo: 'http://example.com/logo.png' }, httpsRule],
  ['logo', { logo: 'https://user:secret@example.com/' }, httpsRule],
  ['logo', { logo: 'javascript:alert(1)' }, httpsRule],
  ['logo', { logo: '' }, httpsRule],
  ['logo', { logo: `https://example.com/${'x'.repeat(2000)}` }, 'must have at most 2000 characters'],
  ['name', { name: '  ' }, 'must have at least 1 character'],
  ['timezone', { timezone: '+02:00' }, 'must be an IANA time zone'],
  ['slug', { slug: 'other' }, 'is not a known field'],
])('rejects a wrong %s and states the rule', async (field, body, rule) => {
  const { owner, params, inside } = await makeTeam()
  // What the types refuse, too.
  const refused = await refusalOf(inside(owner).workspaces.update({ params, body: body as never }))
  expect(refused).toMatchObject({ status: 400, field })
  expect(JSON.stringify(refused)).toContain(rule)
})

test('a workspace can be created with a logo', async () => {
  const { owner } = await makeTeam()
  const logo = 'https://cdn.example.com/logo.png'
  const { id } = await owner.api.workspaces.create({ body: { name: 'With logo', timezone: 'UTC', logo } })
  expect((await owner.api.workspaces.list()).find((workspace) => workspace.id === id)).toMatchObject({ logo })
})
