import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type Urls, writes } from './durability/writes.ts'
import { type Killable, startKillable } from './killable.ts'

const folder = mkdtempSync(join(tmpdir(), 'durable-'))
let engines: Killable
afterEach(async () => {
  await engines.kill()
  rmSync(folder, { recursive: true })
})

const start = async (): Promise<Urls> => {
  engines = await startKillable(new URL('./durability/serve.ts', import.meta.url), folder)
  return engines.firstMessage as Urls
}

test('every acknowledged write of every engine survives an immediate SIGKILL', async () => {
  let urls = await start()
  for (const { engine, make, look, expected } of writes) {
    const name = `kept-by-${engine}`
    const made = await make(urls, name)
    await engines.kill()
    urls = await start()
    expect(await look(urls, name, made, folder), name).toEqual(expected(name))
  }
}, 240_000)
