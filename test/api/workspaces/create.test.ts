import { expect, test } from 'vitest'
import { decryptText, encryptText } from '../../../shared/aws/keys.ts'
import { random62 } from '../../../shared/ids.ts'
import { workspaces } from '../../../shared/workspaces/workspace.ts'
import { serveFile, startClient } from '../auth/client.ts'

serveFile()

const path = '/api/workspaces'
const newSlug = () => `slug-${random62(10).toLowerCase()}`

test('the creator of a workspace is its owner and finds it again', async () => {
  const { person, send } = startClient()
  const { token } = await person()
  const slug = newSlug()
  const { status, body } = await send('POST', path, {
    token,
    body: { name: ' Acme ', slug, timezone: 'Europe/Berlin' },
  })
  expect(status).toBe(201)
  expect(body.data).toEqual({
    id: expect.stringMatching(/^ws_[0-9A-Z]{26}$/),
    name: 'Acme',
    slug,
    logo: null,
    brandColor: null,
    timezone: 'Europe/Berlin',
    redirectUrls: [],
    assistantsEnabled: true,
    role: 'owner',
    subscription: {
      status: 'active',
      planName: 'self-hosted',
      hasAccess: true,
      accessMessage: 'This workspace has access.',
      billingUrl: expect.stringContaining(`/billing?workspace=${slug}`),
      cancelAtPeriodEnd: false,
      currentPeriodEnd: null,
    },
  })
  const { id } = body.data
  const shown = await send('GET', `${path}/${id}`, { token, headers: { 'X-Workspace-Id': id } })
  expect(shown.body.data).toEqual(body.data)
  expect((await send('GET', path, { token })).body.data).toEqual([body.data])
})

test('one of ten concurrent requests for a slug gets it', async () => {
  const { person, send } = startClient()
  const { token } = await person()
  const slug = newSlug()
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => send('POST', path, { token, body: { name: 'Acme', slug } })),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  const [refused, ...others] = answers.filter(({ status }) => status !== 201)
  expect(refused).toMatchObject({ status: 409, body: { success: false, code: 'slug_taken', field: 'slug' } })
  expect(others.every(({ status }) => status === 409)).toBe(true)
  expect((await send('GET', path, { token })).body.data).toHaveLength(1)
})

test('without a slug, the name becomes the slug, and a taken one gets a suffix', async () => {
  const { person, send } = startClient()
  const { token } = await person()
  const name = `Café ${random62(8).toLowerCase()}`
  const first = await send('POST', path, { token, body: { name } })
  const second = await send('POST', path, { token, body: { name } })
  expect(first.body.data).toMatchObject({ slug: name.replace('Café ', 'cafe-'), timezone: 'UTC' })
  expect(second.status).toBe(201)
  expect(second.body.data.slug).toMatch(new RegExp(`^${first.body.data.slug}-[0-9a-z]{6}$`))
})

test('a repeated request with an Idempotency-Key creates one workspace and returns the first response, not the current row', async () => {
  const { person, send } = startClient()
  const { token } = await person()
  const request = { token, body: { name: 'Acme' }, headers: { 'Idempotency-Key': 'one' } }
  const answers = await Promise.all(Array.from({ length: 4 }, () => send('POST', path, request)))
  answers.push(await send('POST', path, request))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect((await send('GET', path, { token })).body.data).toHaveLength(1)
})

test('the workspace has its own data key that encrypts and decrypts', async () => {
  const { person, send, ctx } = startClient()
  const { token } = await person()
  const { id } = (await send('POST', path, { token, body: { name: 'Acme' } })).body.data
  const workspace = await workspaces.get(ctx, { id })
  if (!workspace) throw new Error('the workspace has no row')
  expect(await decryptText(ctx, workspace, 'test', await encryptText(ctx, workspace, 'test', 'a secret'))).toBe(
    'a secret',
  )
})

test.each([
  ['name', { name: '' }, 'must have at least 1 character'],
  ['name', { name: 'x'.repeat(81) }, 'must have at most 80 characters'],
  ['slug', { name: 'Acme', slug: 'No Slug' }, 'must have 3 to 40 characters of a-z, 0-9 and "-"'],
  ['timezone', { name: 'Acme', timezone: 'Europe/Atlantis' }, 'must be an IANA time zone, such as Europe/Berlin'],
  ['timezone', { name: 'Acme', timezone: '+01:00' }, 'must be an IANA time zone'],
  ['role', { name: 'Acme', role: 'owner' }, 'is not a known field'],
])('rejects a wrong %s and states the rule', async (field, body, rule) => {
  const { person, send } = startClient()
  const { token } = await person()
  const answer = await send('POST', path, { token, body })
  expect(answer).toMatchObject({ status: 400, body: { field } })
  expect(answer.body.error).toContain(`"${field}" ${rule}`)
})
