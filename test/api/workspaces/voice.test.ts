import { expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import type { VoiceChange } from '../../../shared/workspaces/voice.ts'
import { refusalOf } from '../answers.ts'
import { makeTeam, serveFile } from '../team/team.ts'

serveFile()

/** The settings of a new workspace, as its owner changes them. */
const openVoice = async () => {
  const team = await makeTeam()
  const { inside, owner, params } = team
  const { workspaces } = inside(owner)
  const patch = (body: VoiceChange) => workspaces.updateVoice({ params, body })
  return { ...team, patch, read: () => workspaces.getVoice({ params }) }
}

test('settings are null until one is set, merge with each update, and are null again when all are cleared', async () => {
  const { patch, read } = await openVoice()
  expect(await read()).toBeNull()
  expect(await patch({ tone: 'warm', style: 'short' })).toEqual({ tone: 'warm', style: 'short' })
  expect(await patch({ description: 'A bakery', tone: 'dry' })).toEqual({
    description: 'A bakery',
    tone: 'dry',
    style: 'short',
  })
  expect(await patch({ style: '' })).toEqual({ description: 'A bakery', tone: 'dry' })
  expect(await patch({})).toEqual({ description: 'A bakery', tone: 'dry' })
  expect(await patch({ tone: null })).toEqual({ description: 'A bakery' })
  expect(await read()).toEqual({ description: 'A bakery' })
  expect(await patch({ description: '' })).toBeNull()
  await patch({ personality: 'kind', tone: 'warm' })
  expect(await patch(null)).toBeNull()
  expect(await read()).toBeNull()
})

test('concurrent updates of different settings are all preserved', async () => {
  const { patch, read } = await openVoice()
  await Promise.all([
    patch({ description: 'a' }),
    patch({ tone: 'b' }),
    patch({ style: 'c' }),
    patch({ personality: 'd' }),
  ])
  expect(await read()).toEqual({ description: 'a', tone: 'b', style: 'c', personality: 'd' })
})

test('members read the settings; owners and admins change them, also with a token that has the scope', async () => {
  const { kit, id, params, inside, join, patch } = await openVoice()
  await patch({ tone: 'warm' })
  const [admin, member] = [await join('admin'), await join()]
  expect(await inside(member).workspaces.getVoice({ params })).toEqual({ tone: 'warm' })
  const change = { params, body: { tone: 'cold' } }
  expect(await refusalOf(inside(member).workspaces.updateVoice(change))).toMatchObject({
    status: 403,
    code: 'insufficient_role',
  })
  const { token } = await admin.api.cli.createToken({
    body: { name: 'ci', workspaceId: id, scopes: ['workspace:write'] },
  })
  const byToken = client({ baseUrl: kit.url, token, workspaceId: id })
  expect(await byToken.workspaces.updateVoice(change)).toEqual({ tone: 'cold' })
  expect(await refusalOf(byToken.workspaces.getVoice({ params }))).toMatchObject({
    status: 403,
    code: 'insufficient_scope',
  })
})

test('a path and a header that name different workspaces change nothing in either', async () => {
  const [one, other] = [await openVoice(), await openVoice()]
  const sent = { params: other.params, body: { tone: 'mine' } }
  const refused = await refusalOf(one.inside(one.owner).workspaces.updateVoice(sent))
  expect(refused).toMatchObject({ status: 403, code: 'workspace_mismatch' })
  expect([await one.read(), await other.read()]).toEqual([null, null])
})

test.each([
  ['tone', { tone: 7 }, 'must be a string'],
  ['tone', { tone: 'x'.repeat(2001) }, 'must have at most 2000 characters'],
  ['style', { style: '\ud800' }, 'must not contain half of a surrogate pair'],
  ['mood', { mood: 'good' }, 'is not a known field'],
])('rejects a wrong %s and states the rule', async (field, body, rule) => {
  const { patch, read } = await openVoice()
  // What the types refuse, too.
  const refused = await refusalOf(patch(body as never))
  expect(refused).toMatchObject({ status: 400, field })
  expect(JSON.stringify(refused)).toContain(rule)
  expect(await read()).toBeNull()
})
