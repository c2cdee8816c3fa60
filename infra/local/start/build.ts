import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Print, step } from '../progress.ts'
import { Stop } from '../stop.ts'
import { hashSources } from './hash-sources.ts'
import { holdSocket } from './hold-socket.ts'
import { layoutOf } from './layout.ts'
import { defaultState, localAssembly, root } from './options.ts'

/** The inputs of the results; it belongs to the bundles, and is written when all results exist. */
const madeOf = join(root, 'dist/sources.sha256')

const isMadeOf = (sources: string): boolean =>
  existsSync(madeOf) && readFileSync(madeOf, 'utf8') === sources && existsSync(join(localAssembly, 'manifest.json'))

/** A separate process: the memory of the CDK is released when it is done. */
const runScript = async (script: string): Promise<void> => {
  // Not cdk.out: the CDK CLI puts a deployed stage there.
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

const buildFrom = async (sources: string, print: Print): Promise<void> => {
  if (isMadeOf(sources)) return
  mkdirSync(dirname(lock), { recursive: true, mode: 0o700 })
  const release = await holdSocket(lock)
  if (release === undefined) {
    await sleep(lookAgainAfterMs)
    return buildFrom(sources, print)
  }
  try {
    await step(print, 'Bundling the functions', () => runScript('infra/deploy/bundle.ts'))
    await step(print, 'Synthesizing the templates', () => runScript('infra/deploy/app.ts'))
    writeFileSync(madeOf, sources)
  } finally {
    release()
  }
}

/**
 * Builds the bundles and the templates that are deployed, unless they are up to date with these sources; one process at a
 * time.
 */
export const build = (print: Print): Promise<void> => buildFrom(hashSources(root), print)
