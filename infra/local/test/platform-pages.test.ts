import { afterAll, beforeEach, expect, test } from 'vitest'
import { startPlatforms } from '../platforms/start.ts'

const platforms = await startPlatforms({ clock: { now: () => Date.UTC(2026, 10, 21, 12) } })
const { bluesky = '' } = platforms.urls

beforeEach(() => platforms.reset())
afterAll(() => platforms.close())

const pageOf = async (path: string) => (await fetch(`${platforms.url}${path}`)).text()
const submit = (fields: Record<string, string>) =>
  fetch(`${platforms.url}/fault-panel`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
const createSession = (password: string) =>
  fetch(`${bluesky}/xrpc/com.atproto.server.createSession`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer very-secret' },
    body: JSON.stringify({ identifier: 'baker', password }),
  })

test('a fault of the form happens to the next call, and is pending until then', async () => {
  const answer = await submit({ call: 'bluesky *', fault: 'status', times: '1', status: '503', retryAfterSeconds: '7' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/fault-panel'])
  expect(await pageOf('/fault-panel')).toContain('status ×1')
  const failed = await createSession('wrong')
  expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '7'])
  expect(await pageOf('/fault-panel')).toContain('No fault is pending')
  expect((await createSession('wrong')).status).toBe(401)
})

test('every kind of fault can be chosen, and all pending ones can be removed', async () => {
  const page = await pageOf('/fault-panel')
  const [, kinds = ''] = /<select name="fault">(.*?)<\/select>/s.exec(page) ?? []
  const values = [...kinds.matchAll(/value="(\w+)"/g)].map(([, value = '']) => value)
  expect(values).toHaveLength(12)
  for (const fault of values) {
    const fields = { call: 'discord *', fault, times: '2', status: '500', delayMs: '5' }
    expect((await submit(fields)).status, fault).toBe(303)
  }
  expect(platforms.faults.pending().map(({ fault }) => fault)).toEqual(values)
  await submit({ clear: 'yes' })
  expect(platforms.faults.pending()).toEqual([])
})

test('an invalid form is shown again with the error and the input; nothing is added', async () => {
  const answer = await submit({ call: 'bluesky *', fault: 'status', times: 'many', status: '503' })
  expect(answer.status).toBe(400)
  const page = await answer.text()
  expect(page).toContain('This is not a fault script: times')
  expect(page).toContain('value="many"')
  expect(platforms.faults.pending()).toEqual([])
})

test('requests are listed by platform, text, and result, without what is secret in them', async () => {
  await createSession('my-password')
  await fetch(`${platforms.urls['discord']}/api/v10/users/@me`)
  const page = await pageOf('/calls')
  expect(page).toContain('2 requests')
  expect(page).toContain('POST /xrpc/com.atproto.server.createSession')
  expect(page).not.toMatch(/my-password|very-secret/)
  expect(await pageOf('/calls?platform=discord')).toContain('1 request<')
  expect(await pageOf('/calls?q=createsession')).toContain('1 request<')
  expect(await pageOf('/calls?q=nothing-like-it')).toContain('No stand-in got such a request yet')
  expect(await pageOf('/calls?failed=on')).toContain('2 requests')
})

test('the posts of a single platform can be watched', async () => {
  expect(await pageOf('/')).toMatch(/Bluesky <span.*Discord <span/s)
  expect(await pageOf('/?platform=discord')).not.toMatch(/Bluesky <span/)
})
