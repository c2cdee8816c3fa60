import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { allowsRedirect, RedirectUrl } from '../../shared/workspaces/redirect-urls.ts'
import { refusalOf } from '../api/answers.ts'
import { makeTeam, serveFile } from '../api/team/team.ts'

serveFile()

test.each([
  'https://app.example.com/',
  'https://app.example.com/connected?tenant=7',
  'https://xn--bcher-kva.example/back',
  'https://app.example.com:8443/back',
  'http://127.0.0.1/back',
  'http://localhost:4000/back',
  'http://[::1]:4000/back',
])('takes %s', (url) => {
  expect(z.safeParse(RedirectUrl, url).success).toBe(true)
})

test.each([
  ['http://app.example.com/', 'https://'],
  ['http://127.0.0.1.example.com/', 'https://'],
  ['javascript:alert(1)', 'https://'],
  ['/back', 'absolute'],
  ['https://app.example.com', 'https://app.example.com/'],
  ['https://bücher.example/back', 'xn--bcher-kva'],
  ['https://APP.example.com/', 'https://app.example.com/'],
  ['https://app.example.com:443/', 'https://app.example.com/'],
  ['https://app.example.com/a/../b', 'https://app.example.com/b'],
  ['https://app.example.com\\back', 'https://app.example.com/back'],
  ['https://user:pass@app.example.com/', 'user name'],
  ['https://app.example.com/#here', 'fragment'],
  ['https://app.example.com/#', 'fragment'],
  ['https://app.example.com./', 'dot'],
  ['https://app.example.com/?state=1', '"state"'],
  [`https://app.example.com/${'a'.repeat(300)}`, 'Too big'],
])('rejects %s and says why', (url, message) => {
  const { error } = z.safeParse(RedirectUrl, url, { error: z.locales.en().localeError })
  expect(z.prettifyError(error ?? new z.core.$ZodError([]))).toContain(message)
})

test('another port is allowed on a loopback address only, and no other host', () => {
  const allowed = ['http://127.0.0.1:1/back', 'https://app.example.com/back']
  expect(allowsRedirect(allowed, 'http://127.0.0.1:2/back')).toBe(true)
  for (const url of ['http://[::1]:2/back', 'http://127.0.0.1:2/', 'https://app.example.com:2/back', 'no url']) {
    expect(allowsRedirect(allowed, url), url).toBe(false)
  }
})

test('owners and admins replace the list; the change is in the audit trail', async () => {
  const { id, owner, params, inside, join } = await makeTeam()
  const { workspaces } = inside(owner)
  expect((await workspaces.get({ params })).redirectUrls).toEqual([])
  const [first, second] = ['https://app.example.com/', 'http://127.0.0.1/back']
  expect((await workspaces.update({ params, body: { redirectUrls: [first] } })).redirectUrls).toEqual([first])
  const admin = inside(await join('admin')).workspaces
  expect((await admin.update({ params, body: { redirectUrls: [first, second] } })).redirectUrls).toEqual([
    first,
    second,
  ])
  await admin.update({ params, body: { redirectUrls: [first, second] } })
  const { items } = await workspaces.listAudit({ params: { id }, query: { action: 'workspace.updated' } })
  const changes = items.map(({ before, after }) => [before['redirectUrls'], after['redirectUrls']])
  expect(changes).toHaveLength(2)
  expect(changes).toContainEqual([undefined, [first]])
  expect(changes).toContainEqual([[first], [first, second]])
  const body = { redirectUrls: Array.from({ length: 21 }, (_, index) => `https://app.example.com/${index}`) }
  expect(await refusalOf(workspaces.update({ params, body }))).toMatchObject({ status: 400, field: 'redirectUrls' })
  expect(await refusalOf(inside(await join()).workspaces.update({ params, body: { redirectUrls: [] } }))).toMatchObject(
    {
      status: 403,
      code: 'insufficient_role',
    },
  )
  expect((await workspaces.update({ params, body: { redirectUrls: [] } })).redirectUrls).toEqual([])
})
