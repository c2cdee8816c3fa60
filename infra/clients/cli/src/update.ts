import { statSync } from 'node:fs'
import { join } from 'node:path'
import { dayMs } from '../../../../shared/time.ts'
import { version } from '../../../../shared/version.ts'
import type { Cli } from './cli.ts'
import { configFolder, writePrivate } from './profile.ts'
import { openSession } from './session.ts'

/** The timeout of the request for the version of the service, in milliseconds. */
const timeoutMs = 3_000

/** An empty file; its modification time is the time of the last check. */
const fileOf = (env: Cli['env']) => join(configFolder(env), 'update-check')

const isNewer = (left: string, right: string) => left.localeCompare(right, 'en', { numeric: true }) > 0

/** The version of a service, as its OpenAPI document has it. */
const versionOf = async (baseUrl: string): Promise<string> => {
  const response = await fetch(`${baseUrl}/api/openapi.json`, { signal: AbortSignal.timeout(timeoutMs) })
  const { info } = (await response.json()) as { info?: { version?: unknown } }
  return /^\d+\.\d+\.\d+$/.exec(String(info?.version))?.[0] ?? version
}

/**
 * Prints a notice, once a day and at a terminal only, when the service runs a newer version. CI, and people who set
 * `SOCIAL_NO_UPDATE_CHECK`, get none. An error here does not fail the command, which is done.
 */
export const printUpdateNotice = async (cli: Cli): Promise<void> => {
  const { env, out } = cli
  if (env['CI'] || env['SOCIAL_NO_UPDATE_CHECK'] || out.json || !process.stdout.isTTY || !process.stderr.isTTY) return
  try {
    const checkedMs = statSync(fileOf(env), { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (Date.now() - checkedMs < dayMs) return
    const { baseUrl } = openSession(cli)
    writePrivate(fileOf(env), '')
    const current = await versionOf(baseUrl)
    if (!isNewer(current, version)) return
    out.note(`The service runs version ${current}, and this is social ${version}.`)
    out.note(`To update: ${baseUrl}/api/docs/guides/command-line#update`)
  } catch {
    // The next command checks again, or the one of the next day.
  }
}
