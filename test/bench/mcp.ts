import { join } from 'node:path'
import { startService, systemClock } from '../../infra/local/service.ts'
import { jsonLog } from '../../shared/context.ts'
import { connected } from '../oauth/assistant.ts'
import { synthesizeOnce } from '../support/assembly.ts'
import { makeSeed } from '../support/seed.ts'
import { timeOneByOne } from './load/measure.ts'

/**
 * How long the MCP server takes, warm and one request after the other, in the local service: the list of its tools, and
 * calls that read and write. Prints medians and 99th percentiles, and the size of the list.
 */
const each = 200

const folder = await synthesizeOnce()
const plenty = { calls: 100_000, perSeconds: 60 }
const service = await startService({
  clock: systemClock,
  polling: 'real',
  load: 'source',
  assembly: join(folder, 'assembly'),
  files: join(folder, 'files'),
  log: jsonLog((line) => process.stderr.write(line.includes('"error"') ? `${line}\n` : '')),
  rateLimits: { general: plenty, auth: plenty, cli: plenty, ai: plenty },
})
const url = service.baseUrl
const { tokens } = await connected({ url, ...(await makeSeed(service.context)) })
const send = async (method: string, params: Record<string, unknown> = {}) => {
  const answer = await fetch(`${url}/api/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${tokens.access_token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const text = await answer.text()
  if (answer.status !== 200 || text.includes('"isError":true')) throw new Error(`${method}: ${text.slice(0, 300)}`)
  return text.length
}

const requests: Readonly<Record<string, (n: number) => Promise<number>>> = {
  'tools/list': () => send('tools/list'),
  'tools/call list_posts': () => send('tools/call', { name: 'list_posts', arguments: { limit: 1 } }),
  'tools/call create_draft': (n) =>
    send('tools/call', { name: 'create_draft', arguments: { content: 'A draft', idempotencyKey: `bench-${n}` } }),
}

let sent = 0
for (const [name, request] of Object.entries(requests)) {
  let characters = 0
  const one = async () => {
    sent += 1
    characters = await request(sent)
  }
  await timeOneByOne(each / 4, one)
  const { p50, p99 } = await timeOneByOne(each, one)
  process.stdout.write(`${name}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${characters} characters\n`)
}
await service.close()
