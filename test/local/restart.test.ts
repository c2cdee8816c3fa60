import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { startTable } from '../../infra/local/engines/table.ts'
import { startService, systemClock } from '../../infra/local/service.ts'
import { readStacks } from '../../infra/local/template/stack.ts'
import { drawBlueprint } from '../../infra/local/template.ts'
import { random62 } from '../../shared/ids.ts'
import { jsonLog } from '../../shared/log.ts'
import { virtualClock } from '../support/clock.ts'
import { askForGrounds } from '../support/grounds.ts'
import { makeSeed } from '../support/seed.ts'

const { assembly, files } = await askForGrounds()
const log = jsonLog(() => {})

const makeFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'service-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('a post that was scheduled before a restart is published after it', async () => {
  const folder = await makeFolder()
  const clock = virtualClock(Date.UTC(2030, 0, 1, 12))
  const boot = () => startService({ clock, polling: 'manual', load: 'source', folder, assembly, files, log })
  const before = await boot()
  const { pat, workspaceId, accounts } = await makeSeed(before.context)
  const metadata = { discord: { channelId: '1300000000000000101' } }
  const scheduledAt = new Date(clock.now() + 3_600_000).toISOString()
  const body = { socialAccountIds: [accounts.discord], content: 'Hello', scheduledAt, metadata }
  await client({ baseUrl: before.baseUrl, token: pat, workspaceId }).posts.schedule({ body })
  await before.close()
  const after = await boot()
  try {
    await after.pass(3_600_000, { strikeMinutes: 60 })
    expect(after.platforms.published()).toMatchObject([{ text: 'Hello' }])
    const { items } = await client({ baseUrl: after.baseUrl, token: pat, workspaceId }).posts.list()
    expect(items).toMatchObject([{ status: 'published' }])
  } finally {
    await after.close()
  }
})

/** A bundle for every function; each tells what it was given. */
const makeBundles = async () => {
  const folder = await makeFolder()
  const { functions } = drawBlueprint(readStacks(assembly), { queueUrl: (name) => name })
  for (const name of functions.map((plan) => plan.name.replace(/^social-/, ''))) {
    await mkdir(join(folder, name))
    const code = `const loadedWith = process.env.BASE_URL
      exports.handler = async (event, context) => ({
        statusCode: 200,
        body: JSON.stringify({ loadedWith, name: context.functionName, left: context.getRemainingTimeInMillis(), path: event.path }),
      })`
    await writeFile(join(folder, name, 'index.cjs'), code)
  }
  return folder
}

test('bundles run as they are deployed, with the variables of the process, which come back after it', async () => {
  const bundles = await makeBundles()
  const before = { ...process.env }
  const table = await startTable({ clock: systemClock })
  onTestFinished(() => table.close())
  const address = { endpoint: table.url, accessKeyId: random62(20) }
  for (let run = 0; run < 2; run += 1) {
    const options = { clock: systemClock, load: 'bundle', bundles, table: address, assembly, log } as const
    const { baseUrl, close } = await startService({ ...options, polling: 'real' })
    const answer = await fetch(`${baseUrl}/api/health`)
    expect(await answer.json()).toEqual({
      loadedWith: baseUrl,
      name: 'social-meta-health',
      left: expect.closeTo(28_000, -3),
      path: '/api/health',
    })
    expect(process.env['AWS_ENDPOINT_URL_DYNAMODB']).toBe(table.url)
    await expect(startService({ ...options, polling: 'real' })).rejects.toThrow(/one service at a time/)
    await close()
    expect(process.env).toEqual(before)
  }
})
