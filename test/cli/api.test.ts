import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Fault, type Seen, startProxy } from '../client/proxy.ts'
import { listen } from '../net/listen.ts'
import { type Kit, start } from '../support/start.ts'
import { makeSocial, type Social } from './social.ts'

let kit: Kit
let social: Social
let proxy: Awaited<ReturnType<typeof startProxy>>
beforeAll(async () => {
  kit = await start({ time: 'real' })
  proxy = await startProxy(kit.url)
  social = await makeSocial({
    SOCIAL_BASE_URL: proxy.url,
    SOCIAL_TOKEN: kit.sessionToken,
    SOCIAL_WORKSPACE: kit.workspaceId,
  })
}, 120_000)
afterAll(async () => {
  social.remove()
  await proxy.close()
  await kit.close()
})

const arrange = (faults: readonly Fault[]) =>
  fetch(`${proxy.url}/faults`, { method: 'POST', body: JSON.stringify(faults) })
const seen = async () => (await (await fetch(`${proxy.url}/seen`)).json()) as Seen[]
beforeEach(() => arrange([]))

const api = async (...args: string[]) => {
  const { code, stdout, stderr } = await social.run(['api', ...args])
  expect([args, code, stderr]).toEqual([args, 0, ''])
  return JSON.parse(stdout)
}

test('a path is one of the API, with or without /api, and prints what the service sends', async () => {
  const { data } = await api(
    'POST',
    'drafts',
    '-f',
    'content=One=1',
    '-F',
    `socialAccountIds=["${kit.accounts.bluesky}"]`,
  )
  expect(data).toMatchObject({ content: 'One=1', socialAccountIds: [kit.accounts.bluesky] })
  const whole = { success: true, data: { items: [{ id: data.id }], hasMore: false } }
  for (const path of ['drafts', 'api/drafts', '/api/drafts?limit=5', `${proxy.url}/api/drafts#top`]) {
    expect(await api(path)).toMatchObject(whole)
  }
  expect(await api('get', 'posts', '-f', 'status=failed', '-F', 'limit=3')).toMatchObject({ data: { items: [] } })
  expect((await seen()).at(-1)?.path).toBe('/api/posts?status=failed&limit=3')
  const changed = await api('PATCH', `drafts/${data.id}`, '-f', 'content=Two', '-H', 'If-Match: "1"')
  expect(changed.data).toMatchObject({ content: 'Two', version: 2 })
  expect(await api('delete', `drafts/${data.id}`)).toMatchObject({ data: { deleted: true } })
  // A document that is not JSON is printed unchanged.
  const document = await social.run(['api', '/llms.txt'])
  expect(document.stdout).toBe(await (await fetch(`${kit.url}/llms.txt`)).text())
})

test('a large document goes through a pipe whole, and a reader that has seen enough ends it without an error', async () => {
  const document = await (await fetch(`${proxy.url}/api/openapi.json`)).json()
  expect((await social.json(['api', 'openapi.json'])).data).toEqual(document)
  const line = `set -o pipefail; '${process.execPath}' '${social.program}' api openapi.json --json | head -c 1`
  const env = { ...social.environment }
  expect(await promisify(execFile)('bash', ['-c', line], { env })).toEqual({ stdout: '{', stderr: '' })
})

test('requests that create have an Idempotency-Key, and are retried with it if the response is lost', async () => {
  await arrange([{ kind: 'lose' }])
  const { data } = await api('drafts', '-f', 'content=Once')
  const [first, second, ...more] = (await seen()).filter(({ method }) => method === 'POST')
  expect(first?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/)
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key'])
  expect(more).toEqual([])
  expect((await api('drafts')).data.items).toMatchObject([{ id: data.id }])
  // A change of one version is not sent again: the second time, it is another version.
  await arrange([{ kind: 'lose' }])
  const lost = await social.run(['api', 'PATCH', `drafts/${data.id}`, '-f', 'content=Twice', '-H', 'If-Match: "1"'])
  expect(lost).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('The connection failed') })
  expect(await seen()).toHaveLength(1)
  await api('DELETE', `drafts/${data.id}`)
  const own = await api('drafts', '-f', 'content=Own', '-H', 'Idempotency-Key: own-1')
  expect((await seen()).at(-1)?.headers['idempotency-key']).toBe('own-1')
  await api('DELETE', `drafts/${own.data.id}`)
})

test('a body comes from a file or from stdin, byte for byte', async () => {
  const body = '{"content":"From a file","socialAccountIds":[]}'
  writeFileSync(join(social.home, 'draft.json'), `${body}\n`)
  const { data } = await api('drafts', '--input', 'draft.json')
  expect(data).toMatchObject({ content: 'From a file' })
  expect((await seen()).at(-1)).toMatchObject({ bytes: body.length, headers: { 'content-type': 'application/json' } })
  const changed = await social.json(['api', 'PATCH', `drafts/${data.id}`, '--input', '-'], {
    input: '{"content":"From stdin"}',
  })
  expect(changed).toMatchObject({ code: 0, data: { data: { content: 'From stdin' } } })
  await api('DELETE', `drafts/${data.id}`)
})

test('pages are followed by their cursor, and printed as one array', async () => {
  for (const n of [1, 2, 3, 4, 5]) await api('drafts', '-f', `content=Page ${n}`)
  await arrange([])
  const items = await api('drafts?limit=2', '--paginate')
  expect(items.map(({ content }: { content: string }) => content)).toEqual([5, 4, 3, 2, 1].map((n) => `Page ${n}`))
  expect(await seen()).toHaveLength(3)
  for (const { id } of items) await api('DELETE', `drafts/${id}`)
  expect(await social.run(['api', 'workspaces', '--paginate'])).toMatchObject({
    code: 2,
    stderr: '"workspaces" is not a list with pages. Leave out --paginate.\n',
  })
})

test('the workspace is that of the path, or the one of the sign-in; some operations need none', async () => {
  const env = { SOCIAL_WORKSPACE: '' }
  const members = await social.run(['api', `workspaces/${kit.workspaceId}/members`], { env })
  expect(JSON.parse(members.stdout)).toMatchObject({ data: { items: [{ role: 'owner' }] } })
  expect(await seen()).toMatchObject([{ headers: { 'x-workspace-id': kit.workspaceId } }])
  await arrange([])
  expect((await social.run(['api', 'workspaces'], { env })).code).toBe(0)
  expect(await seen()).toHaveLength(1)
  expect((await social.run(['api', 'drafts'], { env })).code).toBe(0)
  expect((await seen()).at(-1)).toMatchObject({ headers: { 'x-workspace-id': kit.workspaceId } })
})

test('an error of the service is printed as by every command', async () => {
  const refused = await social.run(['api', 'drafts/drf_01K9ZJ3V6Q8N5W2R7T4Y0X1C3B'])
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/\(code draft_not_found, request \S+, http/)
  expect(await social.json(['api', 'drafts', '-F', 'content=7'])).toMatchObject({
    code: 1,
    data: { error: { code: 'invalid_input', status: 400, field: 'content' }, exitCode: 1 },
  })
  const ended = await social.run(['api', 'posts'], { env: { SOCIAL_TOKEN: `${kit.sessionToken.slice(0, -2)}xy` } })
  expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('Sign in again: social login') })
})

test('the token stays at its service', async () => {
  const reached: string[] = []
  const other = createServer((request, response) => {
    reached.push(request.url ?? '')
    response.end()
  })
  const host = `127.0.0.1:${await listen(other)}`
  for (const path of [`http://${host}/api/posts`, `//${host}/api/posts`, `@${host}/api/posts`, `\\\\${host}\\posts`]) {
    const { code, stdout } = await social.run(['api', path])
    expect([path, code === 1 || code === 2, stdout]).toEqual([path, true, ''])
  }
  other.close()
  expect(reached).toEqual([])
})
