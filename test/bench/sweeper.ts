import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setProcessEnvironment } from '../../infra/local/service/environment.ts'
import { makeContext } from '../../shared/context.ts'
import { platformIds, sweepShards } from '../../shared/resources.ts'
import { stopAfterMs, sweep } from '../../shared/sweeper/sweep.ts'

/**
 * How much CPU time the sweeper needs for a row, with the real SDK clients over HTTP, and how long it takes to send a
 * million lost messages again. Number as an argument: rows to sweep.
 */
const [rows = 16_000] = process.argv.slice(2).map(Number)

const aws = fork(join(import.meta.dirname, 'sweeper/aws.ts'), [String(Math.ceil(rows / sweepShards))])
const [port] = await once(aws, 'message')
const url = `http://127.0.0.1:${port}`
setProcessEnvironment({
  AWS_ENDPOINT_URL: url,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'example',
})
let updated = 0
const ctx = makeContext(
  {
    TABLE_NAME: 'table',
    QUEUE_URL_PREFIX: `${url}/000000000000/`,
    PLATFORM_API_ENDS: JSON.stringify(Object.fromEntries(platformIds.map((id) => [id, null]))),
  },
  {
    observe: (effect, run) => {
      if (effect.action === 'UpdateItem') updated += 1
      return run()
    },
  },
)
const started = { cpu: process.cpuUsage(), ms: performance.now() }
await sweep(ctx)
const cpu = process.cpuUsage(started.cpu)
const seconds = (performance.now() - started.ms) / 1000
aws.kill()

/** TLS, and a Lambda processor that is slower than this one: what is measured here is doubled. */
const slower = 2
const lost = 1_000_000
const perRowMs = (cpu.user + cpu.system) / 1000 / updated
const perMinute = Math.floor(stopAfterMs / (perRowMs * slower))
console.log(`${updated} rows in ${seconds.toFixed(1)} s`)
console.log(`CPU time per row: ${perRowMs.toFixed(2)} ms here, ${(perRowMs * slower).toFixed(2)} ms assumed on Lambda`)
console.log(`A run works for ${stopAfterMs / 1000} s of each minute with one processor (1,769 MB): ${perMinute} rows`)
console.log(`${lost} lost messages are sent again in ${(lost / perMinute).toFixed(1)} minutes`)
