import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { clientRoutes } from '../../../../infra/clients/javascript/build/operations.ts'
import { buildPythonPackage } from '../../../../infra/commands/client-python.ts'
import { startProxy } from '../../../client/proxy.ts'
import { png } from '../../../media/files.ts'
import { start } from '../../../support/start.ts'
import { sign, vectors } from '../../../webhooks/vectors.ts'

const run = promisify(execFile)

const snake = (operation: string) => operation.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

test('the Python client does what its readme says, over every kind of fault', async () => {
  const kit = await start({ time: 'real' })
  const proxy = await startProxy(kit.url)
  const folder = await mkdtemp(join(tmpdir(), 'client-python-'))
  try {
    await buildPythonPackage(folder)
    const world = {
      package: folder,
      url: proxy.url,
      token: kit.pat,
      sessionToken: kit.sessionToken,
      workspaceId: kit.workspaceId,
      accountId: kit.accounts.bluesky,
      png: Buffer.from(await png(64, 64)).toString('base64'),
      operations: clientRoutes.map(({ operation }) => snake(operation)),
      vectors: vectors
        .filter(({ times }) => times < 1_000)
        .map((vector) => {
          const headers = Object.entries(sign(vector, vector.body.repeat(vector.times)))
          const schemes = [/^webhook-/, /^X-Service-/].map((scheme) => headers.filter(([name]) => scheme.test(name)))
          return { ...vector, headers: schemes.map((each) => Object.fromEntries(each)) }
        }),
    }
    const suite = join(import.meta.dirname, 'suite.py')
    const { stdout } = await run('python3', ['-B', suite, JSON.stringify(world)], { maxBuffer: 2 ** 24 })
    const outcomes: { name: string; error?: string }[] = JSON.parse(stdout)
    expect(outcomes.filter(({ error }) => error !== undefined)).toEqual([])
    expect(outcomes.length).toBeGreaterThanOrEqual(13)
  } finally {
    await rm(folder, { recursive: true, force: true })
    await proxy.close()
    await kit.close()
  }
})
