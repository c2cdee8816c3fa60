import { parseArgs } from 'node:util'
import * as z from 'zod/mini'

/** The options of the command line. */
export interface SmokeOptions {
  /** Without a slash at its end. */
  baseUrl: string
  token: string
  /** The workspace of the token, where not given. */
  workspaceId: string | undefined
  /** The account to publish a real post with. */
  publish: string | undefined
  /** Metadata of that post, by platform. */
  metadata: Record<string, unknown> | undefined
  /** The timeout of one request. */
  timeoutMs: number
  json: boolean
}

/** The command was called incorrectly; the message explains the usage. */
export class Usage extends Error {
  override name = 'Usage'
}

const usage =
  'Usage: SMOKE_TOKEN=<token> npm run smoke -- --base-url https://… [--token <token>] [--workspace <id>] [--publish <socialAccountId> [--metadata <json>]] [--timeout <seconds>] [--json]'

const reject = (sentence: string): never => {
  throw new Usage(`${sentence} ${usage}`)
}

const isLoopback = ({ hostname }: URL) => ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)

const baseUrlIn = (text: string | undefined): string => {
  if (text === undefined) return reject('"--base-url" is missing.')
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return reject(`"--base-url" is "${text}", not a URL.`)
  if (url.protocol === 'http:' && !isLoopback(url)) {
    return reject('"--base-url" must use https: the token must not travel unencrypted.')
  }
  return text.replace(/\/+$/, '')
}

const metadataIn = (text: string | undefined): Record<string, unknown> | undefined => {
  if (text === undefined) return undefined
  try {
    return z.parse(z.record(z.string(), z.unknown()), JSON.parse(text))
  } catch {
    return reject('"--metadata" must be a JSON object by platform, such as {"slack":{"channelId":"C024BE91L"}}.')
  }
}

const secondsIn = (text: string): number => {
  const seconds = Number(text)
  return seconds > 0 && seconds <= 600 ? seconds : reject(`"--timeout" is "${text}", not 1 to 600 seconds.`)
}

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        'base-url': { type: 'string' },
        token: { type: 'string' },
        workspace: { type: 'string' },
        publish: { type: 'string' },
        metadata: { type: 'string' },
        // API Gateway responds within 29 seconds.
        timeout: { type: 'string', default: '30' },
        json: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    return reject(error instanceof Error ? (error.message.split('. ', 1)[0] ?? '').replace(/\.?$/, '.') : '')
  }
}

/** The options on the command line. A token in the environment does not show in the list of processes. */
export const readOptions = (
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): SmokeOptions => {
  const values = parse(args)
  const token = values.token ?? env['SMOKE_TOKEN']
  return {
    baseUrl: baseUrlIn(values['base-url']),
    token: token || reject('The token is missing. Set SMOKE_TOKEN to a personal access token.'),
    workspaceId: values.workspace,
    publish: values.publish,
    metadata: metadataIn(values.metadata),
    timeoutMs: secondsIn(values.timeout) * 1000,
    json: values.json,
  }
}
