import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { jsonLog } from '../../../../shared/context.ts'
import { type VirtualClock, virtualClock } from '../../../../test/support/clock.ts'
import { makeSeed } from '../../../../test/support/seed.ts'
import { getSharedSetup } from '../../../../test/support/shared-setup.ts'
import type { Caller } from '../../demo/caller.ts'
import { openMasterKey } from '../../serve/master-key.ts'
import { startService } from '../../service.ts'
import { layoutOf } from '../../start/layout.ts'

const { assembly, files } = await getSharedSetup()
const plenty = { calls: 100_000, perSeconds: 60 }

/** Folders of a state with a master key, and of its backups. */
export const makeHome = () => {
  const home = mkdtempSync(join(tmpdir(), 'backup-'))
  const [state, backups, keyFile] = [join(home, 'state'), join(home, 'backups'), join(home, 'key')]
  mkdirSync(backups)
  const { key } = openMasterKey(layoutOf(state).engines, keyFile)
  return { home, state, backups, keyFile, key, remove: () => rmSync(home, { recursive: true, force: true }) }
}

export interface ServeOptions {
  clock?: VirtualClock
  allowedOrigins?: readonly string[]
}

/** A service with stand-ins on a state, in virtual time from now on. */
export const openService = (state: string, masterKey: Buffer, options: ServeOptions = {}) =>
  startService({
    clock: virtualClock(Date.now()),
    ...options,
    polling: 'manual',
    load: 'source',
    folder: layoutOf(state).engines,
    assembly,
    files,
    masterKey,
    isDurable: true,
    log: jsonLog(() => {}),
    rateLimits: { general: plenty },
  })

/** A person with a workspace. */
export const seed = async ({ context, baseUrl }: Awaited<ReturnType<typeof openService>>): Promise<Caller> => {
  const { pat: token, workspaceId } = await makeSeed(context)
  return { baseUrl, token, workspaceId }
}

export const operator = join(import.meta.dirname, '../../../commands/operator.ts')

/** Runs a command of an operator; `limit` is one of `ulimit`. */
export const operate = async (args: readonly string[], limit = 'true') => {
  const child = spawn('sh', ['-c', `${limit} && exec "$0" "$@"`, process.execPath, operator, ...args])
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, output: `${stdout}${stderr}` }
}
