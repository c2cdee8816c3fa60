import * as z from 'zod/mini'
import { hourMs } from '../../shared/time.ts'
import { askFor } from './local/ask.ts'
import { type Child, startChild, type Table, tables } from './local/child.ts'
import { measureDue } from './local/due.ts'
import { sendMix, statusesOf } from './local/load.ts'
import { spread, timeOneByOne } from './local/measure.ts'
import { requestOf, scheduleOne } from './local/requests.ts'
import { tabulate } from './local/steps.ts'

/**
 * How fast the service is on this machine, as `npm start` runs it: bundles, real polling, its files in a folder. Another
 * process drives it over HTTP. Arguments: the tables to run on, `embedded` (the default) and `dynamodb-local`; all of
 * them stand in one table. `--quick` takes a tenth of the requests.
 */
const quick = process.argv.includes('--quick')
const share = quick ? 0.1 : 1
const asked = process.argv.slice(2).filter((name) => !name.startsWith('--'))
const chosen = z.parse(z.array(z.enum(tables)), asked.length > 0 ? asked : ['embedded'])

const warmUps = 300
/** The first publication on a platform compiles what it runs, as the demonstration of `npm start` does. */
const warmUpsDue = 40
const each = 200 * share
const dueAtOnce = 200 * share
const mixPerSecond = 100
const mixSeconds = 60 * share
/** How long the slowest table takes to accept all posts that are to be due at once. */
const timeoutMs: Readonly<Record<Table, number>> = { embedded: 20_000, 'dynamodb-local': 60_000 }

const Posts = z.object({ data: z.array(z.object({ id: z.string() })) })

type Figures = Readonly<Record<string, string>>

const ms = (value: number) => `${value < 100 ? value.toFixed(1) : value.toFixed(0)} ms`
const both = ({ p50, p99 }: { p50: number; p99: number }) => `${ms(p50)}, ${ms(p99)}`

const measureTable = async (table: Table): Promise<{ figures: Figures; steps: string }> => {
  const child = await startChild(table, 1)
  try {
    return await measureChild(child, table)
  } finally {
    await child.close()
  }
}

const measureChild = async (child: Child, table: Table) => {
  const { url, author } = child
  const note = (text: string) => process.stderr.write(`${table}: ${text}\n`)
  let n = 0
  const schedule = () => {
    n += 1
    return askFor(201, scheduleOne(child, author.accounts.bluesky, `Bench ${n}.`, Date.now() + (2 + n) * hourMs))
  }
  const [post] = z.parse(Posts, JSON.parse(await schedule())).data
  const health = async () => void (await askFor(200, { url: `${url}/api/health`, method: 'GET' }))
  const refused = async () => void (await askFor(401, { url: `${url}/api/posts`, method: 'GET' }))
  const get = async () => void (await askFor(200, requestOf(url, author, 'GET', `/api/posts/${post?.id}`)))
  const plan = async () => void (await schedule())

  note('warming up')
  for (let warm = 0; warm < warmUps * share; warm += 1) for (const one of [health, refused, get, plan]) await one()
  await measureDue(child, warmUpsDue, timeoutMs[table])
  note('one at a time')
  const healthMs = await timeOneByOne(each, health)
  const refusedMs = await timeOneByOne(each, refused)
  const getMs = await timeOneByOne(each, get)
  const planMs = await timeOneByOne(each, plan)
  note('steps')
  await child.trace()
  for (let times = 0; times < each; times += 1) await get()
  for (let times = 0; times < each; times += 1) await plan()
  const traced = await child.stopTrace()
  const steps = ['GET', 'POST'].map((method) => {
    const of = traced.filter(({ route }) => route.startsWith(method))
    return tabulate(`${table}, ${method === 'GET' ? 'GET /api/posts/{id}' : 'POST /api/posts/schedule'}`, of)
  })
  note(`${dueAtOnce} posts due at once`)
  const due = await measureDue(child, dueAtOnce, timeoutMs[table])
  note(`${mixPerSecond} mixed requests a second for ${mixSeconds} s`)
  const mixed = await sendMix(child, mixPerSecond, mixSeconds)
  const figures: Figures = {
    'GET /api/health, p50 and p99': both(healthMs),
    '401 without a token, p50 and p99': both(refusedMs),
    'GET /api/posts/{id}, p50 (≤ 5 ms) and p99': both(getMs),
    'POST /api/posts/schedule, one post, p50 (≤ 20 ms) and p99': both(planMs),
    [`${dueAtOnce} posts due at once: late by, p50 and p99 (≤ 1,000 ms)`]: both(due),
    [`${dueAtOnce} posts due at once: late by at most`]: ms(due.max),
    [`${dueAtOnce} posts due at once: started, early (0)`]: `${due.started}, ${due.early}`,
    [`${mixPerSecond} mixed requests a second for ${mixSeconds} s, p50 and p99 (≤ 250 ms)`]: both(
      spread(mixed.samples.map(({ tookMs }) => tookMs)),
    ),
    'mixed: answers by status (no 5xx)': statusesOf(mixed.samples),
    'mixed: processor time of the service for each request': ms(mixed.cpuMsEach),
    'mixed: memory of the service, at first and at most': `${mixed.startMb} MB, ${mixed.peakMb} MB`,
  }
  return { figures, steps: steps.join('\n\n') }
}

const results: { table: Table; figures: Figures; steps: string }[] = []
for (const table of chosen) results.push({ table, ...(await measureTable(table)) })
const names = Object.keys(results[0]?.figures ?? {})
console.log(`| one at a time, then together | ${chosen.join(' | ')} |`)
console.log(`| --- |${chosen.map(() => ' ---: |').join('')}`)
for (const name of names) console.log(`| ${name} | ${results.map(({ figures }) => figures[name]).join(' | ')} |`)
for (const { steps } of results) console.log(`\n${steps}`)
