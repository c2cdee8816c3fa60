import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test } from 'vitest'
import {
  bootstrap,
  buildWithinMs,
  built,
  launch,
  makeFolder,
  processesOf,
  type Running,
  removeFolder,
  signalGroup,
  until,
  untilNothingRuns,
} from './processes.ts'

const folder = makeFolder()
beforeAll(built, buildWithinMs)
let running: Running | undefined
afterEach(async () => {
  if (running) signalGroup(running, 'SIGKILL')
  await untilNothingRuns(folder)
  removeFolder(folder)
})

const command = `"${process.execPath}" "${bootstrap}" start --no-demo --state "${folder}"`

/** Kills one process without a clean exit; the others must notice. */
const kill = (pid: number | undefined): void => {
  if (pid === undefined) throw new Error('it has no process id')
  process.kill(pid, 'SIGKILL')
}

const bootstrapPid = () => {
  const line = processesOf(folder).find((process) => process.includes('bootstrap.mjs') && !process.includes('sh -c'))
  return line === undefined ? undefined : Number(line.split(' ', 1)[0])
}

const untilTablesAreOpen = () =>
  until('the tables are open', () => existsSync(join(folder, 'engines/table.sqlite')) || undefined)

test('ends with its parent, even when killed during startup', { timeout: 60_000 }, async () => {
  // The shell stays as the parent, since it has something to do afterwards.
  running = launch('sh', ['-c', `${command}; true`])
  await untilTablesAreOpen()
  kill(running.child.pid)
  await untilNothingRuns(folder)
})

test('ends when npm is killed, because no shell runs between them', { timeout: 60_000 }, async () => {
  running = launch('npm', ['start', '--', '--no-demo', '--state', folder])
  await untilTablesAreOpen()
  kill(running.child.pid)
  await untilNothingRuns(folder)
})

test('ends when the bootstrap process is killed', { timeout: 60_000 }, async () => {
  running = launch('sh', ['-c', `${command}; true`])
  await untilTablesAreOpen()
  kill(await until('the bootstrap runs', bootstrapPid))
  await untilNothingRuns(folder)
  expect(processesOf(folder)).toEqual([])
})
