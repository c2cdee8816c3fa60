import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { layoutOf } from './start/layout.ts'
import { defaultState } from './start/options.ts'

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

const { values } = parseArgs({ options: { state: { type: 'string', default: defaultState } } })

const folder = resolve(values.state)

const read = (): z.infer<typeof ServiceFile> | undefined => {
  try {
    return z.parse(ServiceFile, JSON.parse(readFileSync(layoutOf(folder).service, 'utf8')))
  } catch {
    return undefined
  }
}

const quoted = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`

const service = read()
if (service === undefined) {
  process.stderr.write(
    `No service runs with the state folder ${folder}. Start one with "npm start" in another terminal, or name the folder of a running one: npm run -s env -- --state <folder>\n`,
  )
  process.exitCode = 1
} else {
  const { baseUrl, inboxUrl, platformsUrl, pat, workspaceId, sessionToken, accounts } = service
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
}
