import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { jsonLog } from '../../../shared/context.ts'
import { getSharedSetup } from '../../../test/support/shared-setup.ts'
import { localNames } from '../../deploy/stacks/names.ts'
import { shortName } from '../service/functions.ts'
import { startService, systemClock } from '../service.ts'
import { readStacks } from '../template/stack.ts'
import { drawBlueprint } from '../template.ts'

const { assembly } = await getSharedSetup()

const makeFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bundles-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** A bundle for every function: its own code where some is given, else one that reports its input. */
const makeBundles = async (own: Readonly<Record<string, string>> = {}) => {
  const folder = await makeFolder()
  const { functions } = drawBlueprint(readStacks(assembly))
  for (const name of functions.map((plan) => shortName(plan.name))) {
    await mkdir(join(folder, name))
    const code = `const loadedWith = process.env.BASE_URL
      exports.handler = async (event, context) => ({
        statusCode: 200,
        body: JSON.stringify({ loadedWith, name: context.functionName, left: context.getRemainingTimeInMillis(), path: event.path }),
      })`
    await writeFile(join(folder, name, 'index.cjs'), own[name] ?? code)
  }
  return folder
}

const start = async (bundles: string) => {
  const logged: string[] = []
  const log = jsonLog((line) => logged.push(line))
  const options = { clock: systemClock, load: 'bundle', bundles, assembly, log } as const
  const boot = () => startService({ ...options, polling: 'real' })
  return { boot, logged }
}

test('bundles run as deployed, with their own process variables, which are restored afterwards', async () => {
  const before = { ...process.env }
  const { boot } = await start(await makeBundles())
  for (let run = 0; run < 2; run += 1) {
    const { baseUrl, close } = await boot()
    const answer = await fetch(`${baseUrl}/api/health`)
    expect(await answer.json()).toEqual({
      loadedWith: baseUrl,
      name: 'social-local-meta-health',
      left: expect.closeTo(28_000, -3),
      path: '/api/health',
    })
    expect(process.env['AWS_ENDPOINT_URL_DYNAMODB']).toMatch(/^http:\/\/127\.0\.0\.1:/)
    await expect(boot()).rejects.toThrow(/one service at a time/)
    await close()
    expect(process.env).toEqual(before)
  }
})

test('a bundle sees its own variables and credentials and no others, however it reaches for them', async () => {
  const handlerSource = `const { env } = require('node:process')
    const read = (...all) => all.map((env) => [env.BASE_URL, env.MAIL_FROM, env.PATH, env.AWS_ACCESS_KEY_ID])
    exports.handler = async () => ({ statusCode: 200, body: JSON.stringify(read(process.env, env, require('process').env)) })`
  const { boot } = await start(await makeBundles({ 'meta-health': handlerSource, 'meta-docs': handlerSource }))
  const { baseUrl, authority, close } = await boot()
  onTestFinished(close)
  const seen = async (path: string) => (await fetch(`${baseUrl}${path}`)).json()
  const own = (functionName: string) => {
    const { accessKeyId } = authority.credentialsOf(localNames.physical(functionName))
    return Array.from({ length: 3 }, () => [baseUrl, null, null, accessKeyId])
  }
  expect(process.env['PATH']).not.toBe(undefined)
  expect(process.env['MAIL_FROM']).not.toBe(undefined)
  expect(await seen('/api/health')).toEqual(own('meta-health'))
  expect(await seen('/api/docs')).toEqual(own('meta-docs'))
})

test('a function that crashes takes its concurrent invocations along, and the next one runs in a new environment', async () => {
  const health = `exports.handler = async ({ queryStringParameters }) => {
    if (queryStringParameters?.die) setImmediate(() => { throw new Error('dead') })
    if (queryStringParameters) await new Promise(() => {})
    return { statusCode: 200, body: '{}' }
  }`
  const { boot, logged } = await start(await makeBundles({ 'meta-health': health }))
  const { baseUrl, close } = await boot()
  onTestFinished(close)
  const request = async (query: string) => (await fetch(`${baseUrl}/api/health${query}`)).status
  const waiting = request('?wait=1')
  expect(await request('?die=1')).toBe(502)
  expect(await waiting).toBe(502)
  expect(logged.filter((line) => line.includes('dead'))).toHaveLength(2)
  expect(await request('')).toBe(200)
})

test('an error thrown by a function is logged with its stack and answered as API Gateway does', async () => {
  const health = `exports.handler = async () => { throw new TypeError('not so') }`
  const { boot, logged } = await start(await makeBundles({ 'meta-health': health }))
  const { baseUrl, close } = await boot()
  onTestFinished(close)
  const answer = await fetch(`${baseUrl}/api/health`)
  expect([answer.status, await answer.json()]).toEqual([502, expect.objectContaining({ success: false })])
  expect(logged).toEqual([expect.stringMatching(/TypeError: not so.*index\.cjs/)])
})

test('a queue function in an endless loop does not block requests', async () => {
  const folder = await makeFolder()
  const [began, started, ended] = ['began', 'asked', 'ended'].map((name) => JSON.stringify(join(folder, name)))
  const fs = `const { existsSync, writeFileSync } = require('node:fs')`
  const busy = `${fs}
    exports.handler = async () => {
      writeFileSync(${began}, '')
      const endMs = Date.now() + 10000
      while (!existsSync(${started}) && Date.now() < endMs);
      writeFileSync(${ended}, existsSync(${started}) ? 'a request was answered meanwhile' : 'no request was answered')
    }`
  const health = `${fs}
    exports.handler = async () => {
      writeFileSync(${started}, '')
      return { statusCode: 200, body: '{}' }
    }`
  const { boot } = await start(await makeBundles({ 'meta-health': health, 'relay-events': busy }))
  const { baseUrl, queues, close } = await boot()
  onTestFinished(close)
  queues.send(localNames.physical('events'), { MessageBody: '{}', MessageGroupId: 'ws' })
  const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => undefined)
  await expect.poll(() => read('began'), { timeout: 20_000 }).toBe('')
  expect((await fetch(`${baseUrl}/api/health`)).status).toBe(200)
  await expect.poll(() => read('ended'), { timeout: 20_000 }).toBe('a request was answered meanwhile')
})

test('a bundle of all functions runs once in each thread, and each function has its own variables and credentials', async () => {
  const folder = await makeFolder()
  const code = `let runs = 0
    const own = process.env
    const seen = [own.AWS_ENDPOINT_URL_SQS, own.AWS_ACCESS_KEY_ID, own.BASE_URL]
    runs += 1
    exports.handlerOf = (name, variables) => async (event, context) => ({
      statusCode: 200,
      body: JSON.stringify({ name, runs, seen, key: variables.AWS_ACCESS_KEY_ID, mail: variables.MAIL_FROM, left: context.getRemainingTimeInMillis() }),
    })`
  await writeFile(join(folder, 'index.cjs'), code)
  const log = jsonLog(() => {})
  const options = { clock: systemClock, load: 'together', bundles: folder, assembly, log } as const
  const { baseUrl, authority, close } = await startService({ ...options, polling: 'real' })
  onTestFinished(close)
  const seen = [expect.stringMatching(/^http:\/\/127\.0\.0\.1:/), null, null]
  for (const [path, name] of [
    ['/api/health', 'meta-health'],
    ['/api/docs', 'meta-docs'],
  ] as const) {
    const { accessKeyId } = authority.credentialsOf(localNames.physical(name))
    const left = expect.closeTo(28_000, -3)
    expect(await (await fetch(`${baseUrl}${path}`)).json()).toEqual({ name, runs: 1, seen, key: accessKeyId, left })
  }
})
