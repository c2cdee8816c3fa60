import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { platformIds } from '../../shared/resources.ts'
import { bootstrap, buildWithinMs, built, launch, makeFolder, processesOf, removeFolder } from './processes.ts'

let folder: string
beforeAll(built, buildWithinMs)
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => {
  expect(processesOf(folder)).toEqual([])
  removeFolder(folder)
})

/** Runs a start that must fail; returns its one line of output. */
const refusal = async (args: readonly string[], env: Record<string, string> = {}): Promise<string> => {
  const running = launch(process.execPath, [bootstrap, 'start', '--state', folder, ...args], env)
  expect(await running.ended).toBe(1)
  const [line, ...rest] = running.output().split('\n')
  expect(rest).toEqual([''])
  return line ?? ''
}

test.each([
  ['PORT', () => ''],
  ['MEDIA_PORT', () => ''],
  ['INBOX_PORT', () => ''],
  ['PLATFORMS_PORT', (port: string) => ` It takes ${platformIds.length + 1} ports in a row, from ${port} on.`],
])('a taken %s', async (variable, more) => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const line = await refusal([], { [variable]: port })
  await new Promise((resolve) => server.close(resolve))
  expect(line).toBe(`Port ${port} is taken (${variable}): free it or choose another port.${more(port)}`)
})

test('a port of the last run that another program has taken', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  writeFileSync(join(folder, 'ports.json'), JSON.stringify({ api: port }))
  const line = await refusal([])
  await new Promise((resolve) => server.close(resolve))
  expect(line).toBe(
    `Port ${port} is taken (the last run used it, and PORT names another one): free it or choose another port.`,
  )
})

test('an invalid port', async () => {
  expect(await refusal([], { PORT: 'http' })).toBe('PORT=http is not a port: give a number from 1 to 65535.')
})

test.each([
  ['engines/secrets.json', '{"half'],
  ['engines/platforms/bluesky/records.jsonl', '{"key":"a","value":1}\nnonsense\n'],
  ['engines/table.sqlite', 'this is no database'],
  ['demo.json', ''],
  ['ports.json', '[3000'],
])('a corrupt %s', async (name, content) => {
  const file = join(folder, name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, content)
  expect(await refusal([])).toBe(
    `The state file ${file} is corrupt: repair it, or start over with "npm start -- --reset".`,
  )
})

test('a state file with valid JSON of the wrong shape', async () => {
  mkdirSync(join(folder, 'engines'))
  writeFileSync(join(folder, 'engines/secrets.json'), '{}')
  const running = launch(process.execPath, [bootstrap, 'start', '--state', folder])
  expect(await running.ended).toBe(1)
  expect(running.output()).toMatch(/API … failed\nThe state file .*secrets\.json is corrupt.*\n$/)
  expect(readFileSync(join(folder, 'service.log'), 'utf8')).toContain('    at ')
})

test('a state folder that is a file', async () => {
  const file = join(folder, 'state')
  writeFileSync(file, '')
  expect(await refusal(['--state', file])).toMatch(/^The state folder .* cannot be used: EEXIST/)
})

test('an unknown option', async () => {
  expect(await refusal(['--twice'])).toMatch(/^Unknown option '--twice'\. Usage: npm start -- \[--once\]/)
})

test('tables of an earlier version on DynamoDB Local', async () => {
  const former = join(folder, 'engines/dynamodb')
  mkdirSync(former, { recursive: true })
  expect(await refusal([])).toBe(
    `The tables in ${former} are DynamoDB Local's, which this version cannot read: start over with "npm start -- --reset", or use another folder with "--state".`,
  )
})
