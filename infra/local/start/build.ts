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
import { defaultState, localAssembly, root, serverFolder } from './options.ts'

interface Target {
  /** The inputs of the results; it belongs to them, and is written when all exist. */
  madeOf: string
  assembly: string
  steps: readonly (readonly [label: string, script: string, ...args: string[]])[]
}

const deployed: Target = {
  madeOf: join(root, 'dist/sources.sha256'),
  assembly: localAssembly,
  steps: [
    ['Bundling the functions', 'infra/deploy/bundle.ts'],
    ['Synthesizing the templates', 'infra/deploy/app.ts'],
  ],
}

const server: Target = {
  madeOf: join(serverFolder, 'sources.sha256'),
  assembly: join(serverFolder, 'assembly'),
  steps: [['Building the service', 'infra/deploy/server.ts', serverFolder]],
}

const isMadeOf = ({ madeOf, assembly }: Target, sources: string): boolean =>
  existsSync(madeOf) && readFileSync(madeOf, 'utf8') === sources && existsSync(join(assembly, 'manifest.json'))

/** A separate process: the memory of the CDK is released when it is done. */
const runScript = async (script: string, ...args: string[]): Promise<void> => {
  // Not cdk.out: the CDK CLI puts a deployed stage there.
  const env = { ...process.env, CDK_OUTDIR: localAssembly }
  const running = promisify(execFile)(process.execPath, [script, ...args], { cwd: root, env, maxBuffer: 2 ** 26 })
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

const buildFrom = async (target: Target, sources: string, print: Print): Promise<void> => {
  if (isMadeOf(target, sources)) return
  mkdirSync(dirname(lock), { recursive: true, mode: 0o700 })
  const release = await holdSocket(lock)
  if (release === undefined) {
    await sleep(lookAgainAfterMs)
    return buildFrom(target, sources, print)
  }
  try {
    for (const [label, ...script] of target.steps) await step(print, label, () => runScript(...script))
    writeFileSync(target.madeOf, sources)
  } finally {
    release()
  }
}

/**
 * Builds the bundles and the templates that are deployed, unless they are up to date with these sources; one process at a
 * time.
 */
export const build = (print: Print): Promise<void> => buildFrom(deployed, hashSources(root), print)

/** The same for the one bundle of `npm run serve`, and its templates. */
export const buildServer = (print: Print): Promise<void> => buildFrom(server, hashSources(root), print)
