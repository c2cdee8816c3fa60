import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { holdSocket } from './hold-socket.ts'
import { layoutOf } from './layout.ts'
import { defaultState, localAssembly, root } from './options.ts'
import { type Print, step } from './progress.ts'
import { Stop } from './stop.ts'

const sources = ['functions', 'shared', 'infra', 'cdk.json', 'package-lock.json']
const results = [join(root, 'dist/metafile.json'), join(localAssembly, 'manifest.json')]

/** When the newest of these changed; a folder changes when a file in it comes or goes. */
const changedAt = (path: string): number => {
  const known = statSync(path, { throwIfNoEntry: false })
  if (known === undefined) return 0
  if (!known.isDirectory()) return known.mtimeMs
  // What runs the service here changes nothing in what is deployed.
  const below = readdirSync(path)
    .map((name) => join(path, name))
    .filter((one) => one !== join(root, 'infra', 'local'))
  return Math.max(known.mtimeMs, ...below.map(changedAt))
}

const isBuilt = (): boolean => {
  const oldest = Math.min(...results.map(changedAt))
  return sources.every((path) => changedAt(join(root, path)) < oldest)
}

/** A process of its own: what the CDK holds in memory goes when it is done. */
const runScript = async (script: string): Promise<void> => {
  // Not cdk.out: that is where the CDK CLI puts a stage that is deployed.
  const env = { ...process.env, CDK_OUTDIR: localAssembly }
  const running = promisify(execFile)(process.execPath, [script], { cwd: root, env, maxBuffer: 2 ** 26 })
  const end = () => running.child.kill()
  process.once('exit', end)
  try {
    await running
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error)
    throw new Stop(`${said}\n${script} failed: see above.`)
  } finally {
    process.off('exit', end)
  }
}

const lock = layoutOf(defaultState).building
const lookAgainAfterMs = 200

/** Makes the bundles and the templates that are deployed, unless they are newer than every source; one process at a time. */
export const build = async (print: Print): Promise<void> => {
  if (isBuilt()) return
  mkdirSync(dirname(lock), { recursive: true, mode: 0o700 })
  const release = await holdSocket(lock)
  if (release === undefined) {
    await sleep(lookAgainAfterMs)
    return build(print)
  }
  try {
    await step(print, 'Bundling the functions', () => runScript('infra/bundle.ts'))
    await step(print, 'Synthesizing the templates', () => runScript('infra/app.ts'))
  } finally {
    release()
  }
}
