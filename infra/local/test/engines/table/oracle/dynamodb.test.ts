import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { javaMissing, startDynamoDb } from '../../../../../../test/support/dynamodb.ts'

const launcher = join(import.meta.dirname, '../../../../../../test/support/dynamodb.ts')

const groupExists = (pid: number) => {
  try {
    process.kill(-pid, 0)
    return true
  } catch {
    return false
  }
}

afterEach(() => vi.unstubAllEnvs())

test('the database answers until it is closed, and leaves no process', async () => {
  const { endpoint, pid, close } = await startDynamoDb()
  expect((await fetch(endpoint)).status).toBe(400)
  expect(groupExists(pid)).toBe(true)
  await close()
  expect(groupExists(pid)).toBe(false)
  await expect(fetch(endpoint)).rejects.toThrow()
})

test('it ends when its parent is killed', async () => {
  const code = `
    import { startDynamoDb } from ${JSON.stringify(launcher)}
    process.stdout.write((await startDynamoDb()).endpoint, () => process.kill(process.pid, 'SIGKILL'))`
  const endpoint = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', code], (_killed, stdout) => resolve(stdout))
  })
  expect(endpoint).toMatch(/^http:/)
  const answers = () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    )
  await expect.poll(answers, { timeout: 5_000 }).toBe(false)
})

test('without Java the error says what to install', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'no-java-'))
  for (const name of ['sh', 'cat']) await symlink(`/bin/${name}`, join(folder, name))
  vi.stubEnv('PATH', folder)
  await expect(startDynamoDb()).rejects.toThrow(javaMissing)
  await rm(folder, { recursive: true })
})
