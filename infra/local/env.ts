import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { layoutOf } from './start/layout.ts'
import { findState } from './start/running.ts'
import { reasonOf, Stop } from './stop.ts'

/** Prints what a shell needs to use the running service: `eval "$(npm run -s env)"`. */
const ServiceFile = z.object({
  baseUrl: z.string(),
  inboxUrl: z.string(),
  platformsUrl: z.string(),
  pat: z.string(),
  workspaceId: z.string(),
  sessionToken: z.string(),
  accounts: z.record(z.string(), z.string()),
})

const quoted = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`

const readService = (folder: string): z.infer<typeof ServiceFile> => {
  try {
    return z.parse(ServiceFile, JSON.parse(readFileSync(layoutOf(folder).service, 'utf8')))
  } catch {
    throw new Stop(
      `No service runs with the state folder ${folder}. Start one with "npm start" in another terminal, or name the folder of a running one: npm run -s env -- --state <folder>`,
    )
  }
}

try {
  const { values } = parseArgs({ options: { state: { type: 'string' } } })
  const folder = values.state === undefined ? await findState() : resolve(values.state)
  const { baseUrl, inboxUrl, platformsUrl, pat, workspaceId, sessionToken, accounts } = readService(folder)
  const variables = {
    BASE: baseUrl,
    TOKEN: pat,
    WORKSPACE: workspaceId,
    SESSION: sessionToken,
    ACCOUNT: accounts['bluesky'] ?? '',
    PLATFORMS: platformsUrl,
    INBOX: inboxUrl,
  }
  for (const [name, value] of Object.entries(variables)) process.stdout.write(`export ${name}=${quoted(value)}\n`)
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exitCode = 1
}
