import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { layoutOf } from '../../infra/local/start/layout.ts'
import { findState } from '../../infra/local/start/running.ts'
import { launch, until } from './processes.ts'

const setUp = () => {
  const root = mkdtempSync(join(tmpdir(), 'running-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const notes = join(root, 'notes')
  const preferred = join(root, 'preferred')
  /** A process that holds a state folder and leaves its note, as a service does. */
  const run = async (name: string) => {
    const state = name === 'preferred' ? preferred : join(root, name)
    mkdirSync(state, { recursive: true })
    const script = `
      const { holdSocket } = await import('./infra/local/start/hold-socket.ts')
      const { recordRunning } = await import('./infra/local/start/running.ts')
      const [claim, state, notes] = process.argv.slice(1)
      await holdSocket(claim)
      recordRunning(state, notes)
      process.once('SIGTERM', () => process.exit())
      setInterval(() => process.stdout.write('up'), 20)`
    const args = ['--input-type=module', '-e', script, layoutOf(state).claim, state, notes]
    const running = launch(process.execPath, args)
    onTestFinished(() => void running.child.kill('SIGKILL'))
    await until('the process holds its folder', () => /^up/.exec(running.output())?.[0])
    const end = async (signal: NodeJS.Signals) => {
      running.child.kill(signal)
      await running.ended
    }
    return { state, end }
  }
  return { notes, preferred, run, find: () => findState(notes, preferred) }
}

test('the only running service is found, wherever its state is', async () => {
  const { preferred, run, find } = setUp()
  expect(await find()).toBe(preferred)
  const one = await run('elsewhere')
  expect(await find()).toBe(one.state)
})

test('the default service is used if several run; without a default, all are listed and one has to be chosen', async () => {
  const { preferred, run, find } = setUp()
  const one = await run('one')
  const two = await run('two')
  await expect(find()).rejects.toThrow(
    `Several services run. Name the state folder of one: --state <folder>\n${one.state}\n${two.state}`,
  )
  await run('preferred')
  expect(await find()).toBe(preferred)
})

test('a service that was stopped or killed is not found, and its note goes', async () => {
  const { notes, preferred, run, find } = setUp()
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const one = await run(signal)
    expect(await find()).toBe(one.state)
    await one.end(signal)
    expect(readdirSync(notes)).toHaveLength(signal === 'SIGKILL' ? 1 : 0)
    expect(await find()).toBe(preferred)
    expect(readdirSync(notes)).toEqual([])
  }
})
