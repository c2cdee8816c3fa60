import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { submitConnectPage } from '../../../infra/local/demo/submit-connect-page.ts'
import { contrastOf } from '../../../shared/pages/brand-style.ts'
import { type Kit, start } from '../../support/start.ts'
import { refusalOf } from '../answers.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const setColor = (brandColor: string | null) =>
  kit.sessionApi.workspaces.update({ params: { id: kit.workspaceId }, body: { brandColor } })

/** The styles of a page, those that its policy allows, and its buttons. */
const look = async (answer: Response) => {
  const text = await answer.text()
  const sheets = [...text.matchAll(/<style>(.*?)<\/style>/gs)].map(([, sheet = '']) => sheet)
  const hashes = sheets.map((sheet) => `'sha256-${createHash('sha256').update(sheet).digest('base64')}'`)
  const [, allowed] = /; style-src ([^;]+);/.exec(answer.headers.get('Content-Security-Policy') ?? '') ?? []
  const [, ground, ink] = /button\.main\{background:(#\w{6})\}.*;color:(#\w{6})\}/.exec(sheets[1] ?? '') ?? []
  return { sheets, hashes: hashes.join(' '), allowed, ground, ink, text }
}

const links = async (api: Kit['sessionApi'] = kit.sessionApi) => {
  const [menu, one, connections] = await Promise.all([
    api.socialAccounts.createLink(),
    api.socialAccounts.connect({ params: { platform: 'x' } }),
    api.socialAccounts.createConnectionsLink({ body: { externalId: 'customer-42' } }),
  ])
  return [menu.authorizeUrl, one.authorizeUrl, connections.url]
}

test.each([
  ['#ffd400', '#000000'],
  ['#1F5FD6', '#ffffff'],
  ['#000000', '#ffffff'],
  ['#ffffff', '#000000'],
  // The two neighbors of the color on which both texts have the same contrast.
  ['#757575', '#ffffff'],
  ['#777777', '#000000'],
])('the buttons of the pages have the color %s, with the text %s', async (color, ink) => {
  expect(await setColor(color)).toMatchObject({ brandColor: color })
  for (const url of await links()) {
    const page = await look(await fetch(url))
    expect(page).toMatchObject({ ground: color, ink, allowed: page.hashes })
    expect(contrastOf(color, ink)).toBeGreaterThanOrEqual(4.5)
  }
})

test('white or black can be read on every color', () => {
  const channels = [0, 51, 102, 117, 119, 153, 204, 255].map((channel) => channel.toString(16).padStart(2, '0'))
  const colors = channels.flatMap((r) => channels.flatMap((g) => channels.map((b) => `#${r}${g}${b}`)))
  const least = Math.min(...colors.map((color) => Math.max(contrastOf(color, '#ffffff'), contrastOf(color, '#000000'))))
  expect(least).toBeGreaterThan(4.5)
  // The example of WCAG: the contrast of black and white.
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
})

test('the page that offers several accounts has the color, and without one the pages have that of the service', async () => {
  await setColor('#ffd400')
  const { authorizeUrl } = await kit.sessionApi.socialAccounts.connect({ params: { platform: 'facebook' } })
  const { address, cookie } = await submitConnectPage(authorizeUrl)
  const init = { method: 'POST', body: new URLSearchParams({ answer: 'allow' }), redirect: 'manual' } as const
  const back = (await fetch(address, init)).headers.get('Location') ?? ''
  const offered = await look(await fetch(back, { headers: { cookie } }))
  expect(offered).toMatchObject({ ground: '#ffd400', allowed: offered.hashes })
  expect(offered.text).toContain('Select accounts')
  expect(await setColor(null)).toMatchObject({ brandColor: null })
  for (const url of await links()) {
    const page = await look(await fetch(url))
    expect([page.sheets.length, page.allowed]).toEqual([1, page.hashes])
  }
})

test('children have the color of the application; a change to what it has is no change', async () => {
  const { application } = kit.sessionApi
  const made = await application.register({ body: { name: 'Planner', brandColor: '#00695c' } })
  expect(made).toMatchObject({ brandColor: '#00695c' })
  const { token } = await application.createToken({ body: { name: 'Backend' } })
  const api = client({ baseUrl: kit.url, token, workspaceId: kit.workspaceId })
  const body = { name: 'Mill Street', timezone: 'UTC', brandColor: '#111111' }
  const child = await api.application.createWorkspace({ body })
  expect(child).toMatchObject({ brandColor: '#111111' })
  const [url = ''] = await links(client({ baseUrl: kit.url, token, workspaceId: child.id }))
  expect(await look(await fetch(url))).toMatchObject({ ground: '#00695c' })
  expect(await application.update({ body: { name: 'Better planner' } })).toMatchObject({ brandColor: '#00695c' })
  expect(await application.update({ body: { brandColor: null } })).toMatchObject({ brandColor: null })
  await application.update({ body: { brandColor: null } })
  const { items } = await kit.sessionApi.workspaces.listAudit({
    params: { id: kit.workspaceId },
    query: { action: 'application.updated' },
  })
  expect(items).toHaveLength(2)
  expect(items.map(({ after }) => after?.['brandColor'])).toContain(null)
})

test('setting no color on a workspace without one is no change', async () => {
  const { id } = await kit.sessionApi.workspaces.create({ body: { name: 'Plain', timezone: 'UTC' } })
  const api = client({ baseUrl: kit.url, token: kit.sessionToken, workspaceId: id })
  expect(await api.workspaces.update({ params: { id }, body: { brandColor: null } })).toMatchObject({
    brandColor: null,
  })
  const { items } = await api.workspaces.listAudit({ params: { id }, query: { action: 'workspace.updated' } })
  expect(items).toEqual([])
})

test.each([
  '',
  '#fff',
  '#ffd4000',
  'ffd400',
  '#ggd400',
  'red',
  '#ffd400\n',
  '#ffd400}*{display:none',
])('rejects %j', async (brandColor) => {
  const refused = await refusalOf(setColor(brandColor))
  expect(refused).toMatchObject({ status: 400, code: 'invalid_input', field: 'brandColor' })
  expect(JSON.stringify(refused)).toContain('must be a color as #rrggbb, or null')
})
