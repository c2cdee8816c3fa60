import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { platformIds } from '../../shared/resources.ts'
import { useService } from './one-service.ts'
import { launch, signalGroup, start, until, untilNothingRuns } from './processes.ts'

const run = useService({
  options: ['--reset'],
  // Begins anew, so it does not matter what is there.
  arrange: (folder) => writeFileSync(join(folder, 'demo.json'), 'broken'),
})
const { folder } = run

const operate = async (...args: string[]) => {
  const command = launch(process.execPath, ['infra/commands/operator.ts', ...args, '--state', folder])
  const code = await command.ended
  return { code, output: command.output() }
}

const listPosts = async () => {
  const headers = { authorization: `Bearer ${run.service.pat}`, 'x-workspace-id': run.service.workspaceId }
  return (await fetch(`${run.service.baseUrl}/api/posts`, { headers })).status
}

test('only its owner can read service.json, and its contents work', async () => {
  expect(statSync(join(folder, 'service.json')).mode & 0o777).toBe(0o600)
  expect(Object.keys(run.service.accounts).sort()).toEqual([...platformIds].sort())
  expect(await listPosts()).toBe(200)
})

test('the terminal shows how late a publication is, and none is early', async () => {
  const { baseUrl, pat, workspaceId, accounts } = run.service
  const headers = { authorization: `Bearer ${pat}`, 'x-workspace-id': workspaceId, 'content-type': 'application/json' }
  const scheduledAt = new Date(Date.now() + 4_000).toISOString()
  const body = JSON.stringify({ socialAccountIds: [accounts['bluesky']], content: 'On time', scheduledAt })
  const answer = await fetch(`${baseUrl}/api/posts/schedule`, { method: 'POST', headers, body })
  const [post] = ((await answer.json()) as { data: [{ id: string }] }).data
  const line = await until('the line of the publication', () =>
    run.running
      .output()
      .split('\n')
      .find((text) => text.includes('publish ') && text.includes(post.id)),
  )
  expect(stripVTControlCharacters(line)).toMatch(/publish bluesky {2}confirmed {2}\d+ ms late {2}\S+$/)
})

test('a process that was stopped between claim and call says so: in the attempt, the statistics, and the terminal', async () => {
  const { baseUrl, pat, workspaceId, accounts } = run.service
  const headers = { authorization: `Bearer ${pat}`, 'x-workspace-id': workspaceId, 'content-type': 'application/json' }
  const dueMs = Date.now() + 5_000
  const body = JSON.stringify({
    socialAccountIds: [accounts['bluesky']],
    content: 'Held up',
    scheduledAt: new Date(dueMs).toISOString(),
  })
  const answer = await fetch(`${baseUrl}/api/posts/schedule`, { method: 'POST', headers, body })
  const [{ id }] = ((await answer.json()) as { data: [{ id: string }] }).data
  // It is claimed 200 ms before its time.
  await sleep(dueMs - 90 - Date.now())
  signalGroup(run.running, 'SIGSTOP')
  await sleep(dueMs + 3_000 - Date.now())
  signalGroup(run.running, 'SIGCONT')
  const read = async <T>(path: string) =>
    ((await (await fetch(`${baseUrl}${path}`, { headers })).json()) as { data: T }).data
  type Attempts = { items: { outcome: string; startedAt: string; latenessMs: number; summary: string }[] }
  const attempt = await until('the post is published', async () => {
    const { items } = await read<Attempts>(`/api/posts/${id}/attempts`)
    return items.find(({ outcome }) => outcome === 'published')
  })
  expect(attempt.latenessMs).toBeGreaterThanOrEqual(2_900)
  expect(Date.parse(attempt.startedAt)).toBe(dueMs + attempt.latenessMs)
  expect(attempt.summary).toBe(`Published; the call began ${attempt.latenessMs} ms after the planned time.`)
  expect(stripVTControlCharacters(run.running.output())).toContain(`confirmed  ${attempt.latenessMs} ms late`)
})

test('npm run env finds the service without the name of its folder', async () => {
  const command = launch(process.execPath, ['infra/local/env.ts'])
  await command.ended
  const here = `BASE='${run.service.baseUrl}'`
  // Services of other tests, and the developer's own, may run concurrently.
  expect(command.output()).toMatch(new RegExp(`${here}|Several services run[^]*${folder}|BASE='http://[^']+:3000'`))
})

test('npm run env names the folder in which it found no service', async () => {
  const empty = join(folder, 'nothing-here')
  const command = launch(process.execPath, ['infra/local/env.ts', '--state', empty])
  expect(await command.ended).toBe(1)
  expect(command.output()).toContain(empty)
  expect(command.output()).toContain('--state')
})

test('npm run env gives a shell what it needs, and each request leaves a line on the terminal and in the log', async () => {
  const script = 'eval "$("$0" infra/local/env.ts --state "$1")"; echo "$BASE|$TOKEN|$WORKSPACE|$SESSION|$ACCOUNT"'
  const shell = launch('sh', ['-c', script, process.execPath, folder])
  expect(await shell.ended).toBe(0)
  const { baseUrl, pat, workspaceId, sessionToken, accounts } = run.service
  expect(shell.output().trim().split('|')).toEqual([baseUrl, pat, workspaceId, sessionToken, accounts['bluesky']])

  const headers = { authorization: `Bearer ${pat}`, 'x-workspace-id': workspaceId, 'x-request-id': 'seen-on-terminal' }
  expect((await fetch(`${baseUrl}/api/posts/nowhere?secret=1`, { headers })).status).toBe(400)
  const line = await until('the line of the request', () =>
    run.running
      .output()
      .split('\n')
      .find((text) => text.includes('seen-on-terminal')),
  )
  expect(stripVTControlCharacters(line)).toMatch(
    /^\d\d:\d\d:\d\d {2}GET \/api\/posts\/nowhere {2}400 invalid_input {2}\d+ ms {2}seen-on-terminal$/,
  )
  const logged = readFileSync(join(folder, 'service.log'), 'utf8')
  expect(logged).toContain('"requestId":"seen-on-terminal"')
  expect(logged).not.toContain('secret=1')
})

test('the line of a refused page has the code of its error', async () => {
  const seen = (pattern: RegExp) =>
    until(String(pattern), () => pattern.exec(stripVTControlCharacters(run.running.output()))?.[0])
  const open = (path: string) => fetch(`${run.service.baseUrl}${path}`, { headers: { accept: 'text/html' } })
  await open('/invite')
  await seen(/GET \/invite {2}400 invalid_input {2}\d+ ms/)
  await open('/nowhere')
  await seen(/GET \/nowhere {2}404 route_not_found {2}\d+ ms/)
})

test('a publication and its webhooks leave lines with their outcome', async () => {
  const { baseUrl, pat, workspaceId, accounts } = run.service
  const answer = await fetch(`${baseUrl}/api/posts/publish-now`, {
    method: 'POST',
    headers: { authorization: `Bearer ${pat}`, 'x-workspace-id': workspaceId, 'content-type': 'application/json' },
    body: JSON.stringify({ socialAccountIds: [accounts['bluesky']], content: 'Seen on the terminal.' }),
  })
  expect(answer.status).toBe(201)
  const output = () => stripVTControlCharacters(run.running.output())
  const seen = (pattern: RegExp) => until(String(pattern), () => pattern.exec(output())?.[0])
  await seen(/publish bluesky {2}confirmed {2}\d+ ms late {2}\w+\n/)
  await seen(/webhook post\.published {2}200 {2}\d+ ms {2}attempt 1 {2}http:\/\/127\.0\.0\.1:\d+\n/)
})

test('an operator can put a workspace on a plan, remove it, and restore it', async () => {
  expect(await operate('set-plan', run.service.workspaceId, 'starter', '--no-access')).toMatchObject({ code: 0 })
  expect(await listPosts()).toBe(402)
  expect(await operate('set-plan', run.service.workspaceId, 'team')).toMatchObject({ code: 0 })
  expect(await listPosts()).toBe(200)
})

test('an operator pauses a platform, sees it, and resumes it', async () => {
  const paused = /^Paused: platform x since \d{4}-\S+Z \(incident 12\)\.\n$/
  const all = { code: 0, output: expect.stringMatching(paused) }
  expect(await operate('pause', '--platform', 'x', '--reason', 'incident 12')).toEqual(all)
  expect(await operate('pauses')).toEqual(all)
  expect(await operate('resume', '--platform', 'x')).toEqual({ code: 0, output: 'Nothing is paused.\n' })
  expect(await operate('after-restore')).toEqual({
    code: 1,
    output: expect.stringMatching(/^DynamoDB did not restore the table [\w-]+: it is not a copy of another one\.\n$/),
  })
})

test('an operator migrates the rows of earlier releases', async () => {
  const done = { code: 0, output: expect.stringMatching(/^[\w-]+: \d+ rows read, 0 changed\.\n$/) }
  expect(await operate('migrate')).toEqual(done)
  expect(await operate('migrate', '--rate', '0')).toMatchObject({ code: 1 })
})

test('the operator command reports an unknown workspace and an invalid command', async () => {
  expect(await operate('set-plan', 'ws_missing', 'team')).toEqual({
    code: 1,
    output: 'There is no workspace "ws_missing".\n',
  })
  expect(await operate('set-plan')).toMatchObject({ code: 1, output: expect.stringMatching(/^Usage: .*\n$/) })
  expect(await operate('turn-off-two-factor', 'nobody@example.com')).toEqual({
    code: 1,
    output: 'This account has no second factor. Enroll one first.\n',
  })
})

test('an operator rotates the token keys, and a step that is too early is refused', async () => {
  expect(await operate('rotate-token-keys')).toMatchObject({ code: 0, output: expect.stringMatching(/^Step 1 of 2: /) })
  expect(await operate('rotate-token-keys')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^Too early: nothing was changed\. .* possible after \d{4}-\d\d-\d\dT\S+Z\.\n$/),
  })
  expect(await operate('rotate-token-keys', '--remove-previous')).toEqual({
    code: 0,
    output: 'There are no previous keys to remove.\n',
  })
  expect(await operate('rotate-token-keys', '--end-tokens')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^Usage: /),
  })
  expect(await listPosts()).toBe(200)
})

test('a second service on the same folder fails with one line', async () => {
  const second = start(folder)
  expect(await second.ended).toBe(1)
  expect(second.output()).toMatch(/^A service runs on .* already, as process \d+: stop it first\.\n$/)
})

test('Ctrl-C exits with 0, removes service.json, and leaves no process behind', async () => {
  const password = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')).password
  expect(password).toBe(run.service.user.password)
  signalGroup(run.running, 'SIGINT')
  expect(await run.running.ended).toBe(0)
  expect(['service.json', 'operator.json', 'running.sock'].filter((name) => existsSync(join(folder, name)))).toEqual([])
  await untilNothingRuns(folder)
})
