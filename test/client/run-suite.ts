import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import * as z from 'zod/mini'
import { png } from '../media/files.ts'
import { type Kit, start } from '../support/start.ts'
import { installPackage } from './package-folder.ts'
import { startProxy } from './proxy.ts'
import type { World } from './suite/check.ts'

const Outcomes = z.array(z.object({ name: z.string(), error: z.optional(z.string()) }))

/** The service in real time behind the proxy, and the installed package with the suite next to it. */
export const openWorld = async () => {
  const kit: Kit = await start({ time: 'real' })
  const closing: (() => Promise<unknown>)[] = [() => kit.close()]
  const close = async () => {
    for (const end of closing.reverse()) await end()
  }
  try {
    const home = await installPackage()
    closing.push(home.remove)
    const suite = join(import.meta.dirname, 'suite')
    const common: BuildOptions = {
      bundle: true,
      format: 'esm',
      target: 'es2022',
      // The installed package, not its sources.
      tsconfigRaw: {},
      nodePaths: [join(home.folder, 'node_modules')],
    }
    const program = join(home.folder, 'suite.mjs')
    await build({
      ...common,
      entryPoints: [join(suite, 'main-files.ts')],
      outfile: program,
      external: ['social-publishing-client', 'social-publishing-client/node', 'node:*'],
    })
    const script = join(home.folder, 'suite-browser.js')
    await build({ ...common, entryPoints: [join(suite, 'main-browser.ts')], platform: 'browser', outfile: script })
    const proxy = await startProxy(kit.url, [
      { path: '/suite.js', type: 'text/javascript', body: await readFile(script, 'utf8') },
      {
        path: '/suite.html',
        type: 'text/html',
        body: '<!doctype html><script type="module" src="/suite.js"></script>',
      },
    ])
    closing.push(proxy.close)
    const world: World = {
      url: proxy.url,
      token: kit.pat,
      sessionToken: kit.sessionToken,
      workspaceId: kit.workspaceId,
      accountId: kit.accounts.bluesky,
      png: Buffer.from(await png(64, 64)).toString('base64'),
    }
    return { kit, home, program, world, close }
  } catch (error) {
    await close()
    throw error
  }
}

export type OpenWorld = Awaited<ReturnType<typeof openWorld>>

/** Runs the suite in another process, and returns how each check ended. */
export const runIn = async ({ home, program, world }: OpenWorld, command: readonly [string, ...string[]]) => {
  const [executable, ...args] = command
  const result = join(home.folder, `result-${Math.random()}.json`)
  const child = spawn(executable, [...args, program, JSON.stringify(world), result], {
    cwd: home.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const timer = setTimeout(() => child.kill('SIGKILL'), 120_000)
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve))
  clearTimeout(timer)
  if (code !== 0) throw new Error(`the suite ended with ${code}:\n${output.slice(-3000)}`)
  return z.parse(Outcomes, JSON.parse(await readFile(result, 'utf8')))
}
