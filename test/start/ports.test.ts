import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { definitions } from '../../shared/platforms/definitions.ts'

const script = `
const { choosePorts } = await import(process.argv[1])
console.log(JSON.stringify(await choosePorts(process.argv[2])))
`
const modulePath = join(import.meta.dirname, '../../infra/local/start/ports.ts')
const Ports = z.record(z.string(), z.number())

test('services that start at the same moment do not take the same port', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ports-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const choose = async (name: string) => {
    const args = ['--input-type=module', '-e', script, modulePath, join(folder, `${name}.json`)]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    const { platforms = 0, ...single } = z.parse(Ports, JSON.parse(stdout))
    // The page of the stand-ins has the first one, and each stand-in one of those after it.
    return [...Object.values(single), platforms, ...definitions.map((_, n) => platforms + 1 + n)]
  }
  const chosen = (await Promise.all(Array.from({ length: 20 }, (_, n) => choose(`service-${n}`)))).flat()
  expect(chosen).toHaveLength(20 * (6 + definitions.length))
  expect(new Set(chosen).size).toBe(chosen.length)
})
