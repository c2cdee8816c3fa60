import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Kit, start } from '../support/start.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const send = async (method: string, path: string, init: RequestInit = {}) => {
  const own = { Authorization: `Bearer ${kit.sessionToken}`, 'X-Workspace-Id': kit.workspaceId }
  const answer = await fetch(`${kit.url}${path}`, { method, ...init, headers: { ...own, ...init.headers } })
  const { requestId } = JSON.parse(await answer.text())
  return { status: answer.status, id: answer.headers.get('X-Request-Id') ?? '', requestId }
}

const rename = (name: string, requestId?: string) => {
  kit.clock.pass(1000)
  return send('PATCH', `/api/workspaces/${kit.workspaceId}`, {
    body: JSON.stringify({ name }),
    headers: { 'Content-Type': 'application/json', ...(requestId === undefined ? {} : { 'X-Request-Id': requestId }) },
  })
}

const newest = async () =>
  (await kit.sessionApi.workspaces.listAudit({ params: { id: kit.workspaceId }, query: { limit: 1 } })).items[0]

test('the ids of requests have one form, whoever answers: a function, an unknown path or method, a body that is too large', async () => {
  const answers = [
    await send('GET', '/api/posts/nope'),
    await send('GET', '/api/nothing'),
    await send('PUT', '/api/posts'),
    await send('POST', '/api/posts/schedule', { body: 'x'.repeat(10 * 1024 * 1024 + 1) }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 405, 413])
  for (const { id, requestId } of answers) {
    expect(id).toMatch(/^[\w-]{15}=$/)
    expect(requestId).toBe(id)
  }
})

test("a caller's request id does not replace ours in the audit trail: it is recorded next to it", async () => {
  const others = await rename('First')
  expect(await newest()).toMatchObject({ requestId: others.id, clientRequestId: null })
  const taken = others.id.replace('=', '')
  for (const sent of [taken, 'req_01KAJ3V9Q6E1A5P8K2N7R4D6G0']) {
    expect((await rename(`After ${sent}`, sent)).id).toBe(sent)
    const entry = await newest()
    expect(entry).toMatchObject({ after: { name: `After ${sent}` }, clientRequestId: sent })
    expect(entry?.requestId).toMatch(/^[\w-]{15}=$/)
    expect(entry?.requestId).not.toBe(others.id)
  }
})
