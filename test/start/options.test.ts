import { expect, test } from 'vitest'
import { bootstrap, launch, makeFolder, removeFolder } from './processes.ts'

const run = async (...args: string[]) => {
  const running = launch(process.execPath, args)
  const code = await running.ended
  return { code, output: running.output() }
}

test('--help explains every option and exits with 0', async () => {
  const { code, output } = await run(bootstrap, 'start', '--help')
  expect(code).toBe(0)
  for (const option of [
    '--demo',
    '--no-demo',
    '--once',
    '--reset',
    '--quiet',
    '--state',
    '--help',
    'PORT',
    'npm run -s env',
  ]) {
    expect(output).toContain(option)
  }
  for (const line of output.split('\n')) expect(line.length).toBeLessThanOrEqual(120)
})

test('an unknown option exits with 1 and the usage', async () => {
  expect(await run(bootstrap, 'start', '--fast')).toEqual({
    code: 1,
    output: expect.stringMatching(/^Unknown option '--fast'\. Usage: npm start -- .*--demo/),
  })
})

test('npm run env without a service says how to start one and prints nothing that a shell would run', async () => {
  const folder = makeFolder()
  expect(await run('infra/local/env.ts', '--state', folder)).toEqual({
    code: 1,
    output: `No service runs with the state folder ${folder}. Start one with "npm start" in another terminal, or name the folder of a running one: npm run -s env -- --state <folder>\n`,
  })
  removeFolder(folder)
})
