import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { png } from '../media/files.ts'
import { listen } from '../net/listen.ts'
import { type Kit, start } from '../support/start.ts'
import { makeSocial, type Social } from './social.ts'

let kit: Kit
let social: Social
beforeAll(async () => {
  kit = await start({ time: 'real' })
  social = await makeSocial()
  Object.assign(social.environment, {
    SOCIAL_BASE_URL: kit.url,
    SOCIAL_TOKEN: kit.pat,
    SOCIAL_WORKSPACE: kit.workspaceId,
  })
}, 120_000)
afterAll(async () => {
  social.remove()
  await kit.close()
})

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`

/** Writes a file of rows; the first line names the columns. */
const write = (name: string, rows: readonly Record<string, string>[], columns = ['accounts', 'content', 'at']) => {
  const lines = [columns.join(','), ...rows.map((row) => columns.map((column) => cell(row[column] ?? '')).join(','))]
  writeFileSync(join(social.home, name), `${lines.join('\n')}\n`)
  return name
}

const rowsOf = (name: string, count: number, at = 'tomorrow 9:00') =>
  Array.from({ length: count }, (_, n) => ({ accounts: 'bluesky', content: `${name} ${n + 1}`, at }))

interface Line {
  type: string
  status?: string
  row: number
}

const reportOf = (name: string): Line[] => {
  try {
    const text = readFileSync(join(social.home, `${name}.report.jsonl`), 'utf8')
    return text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  } catch {
    return []
  }
}

const outcomes = (name: string) => reportOf(name).filter(({ type }) => type === 'outcome').length

/** The texts of the posts that begin with a word, as the list of the service has them. */
const listed = async (word: string): Promise<string[]> => {
  const texts: string[] = []
  let cursor: string | undefined
  do {
    const page = await kit.api.posts.list({ query: { limit: 200, ...(cursor === undefined ? {} : { cursor }) } })
    texts.push(...page.items.map(({ content }) => content).filter((text) => text.startsWith(`${word} `)))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return texts.sort()
}

const expected = (name: string, count: number) =>
  rowsOf(name, count)
    .map(({ content }) => content)
    .sort()

/** Kills the command with SIGKILL as soon as so many rows have an outcome. */
const killAfter = async (args: readonly string[], file: string, count: number) => {
  const child = social.launch(args)
  const ended = once(child, 'close')
  while (child.exitCode === null && child.signalCode === null && outcomes(file) < count) await sleep(2)
  child.kill('SIGKILL')
  const [, signal] = await ended
  return signal
}

test('200 rows that are killed again and again are published once each', async () => {
  const file = write(
    'posts.csv',
    rowsOf('Bulk', 200).map((row) => ({ ...row, at: '' })),
  )
  for (const count of [1, 40, 100, 101, 160]) {
    expect(await killAfter(['bulk', file, '--now'], file, count)).toBe('SIGKILL')
    expect(outcomes(file)).toBeLessThan(200)
  }
  const last = await social.json(['bulk', file, '--now'])
  expect(last).toMatchObject({
    code: 0,
    data: { rows: 200, accepted: 200, failed: 0, unknown: 0, changed: 0, problems: [] },
  })
  expect(last.stderr).toContain('Continuing posts.csv.report.jsonl: ')
  expect(await listed('Bulk')).toEqual(expected('Bulk', 200))
  await expect
    .poll(() => kit.platforms.published().filter(({ text }) => text.startsWith('Bulk ')).length, { timeout: 60_000 })
    .toBe(200)
  const live = kit.platforms
    .published()
    .map(({ text }) => text)
    .filter((text) => text.startsWith('Bulk '))
  expect(live.sort()).toEqual(expected('Bulk', 200))
  // Once more there is nothing to do.
  const idle = await social.json(['bulk', file, '--now'])
  expect(idle).toMatchObject({ code: 0, data: { accepted: 200, acceptedNow: 0 } })
  expect(await listed('Bulk')).toHaveLength(200)
}, 180_000)

/** Between the command and the service: ends the command at its nth request to schedule, before or after the service has it. */
const killerOf = async (at: number, when: 'before' | 'after') => {
  let child: ReturnType<Social['launch']> | undefined
  let seen = 0
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray())
    const { method, url = '', headers } = incoming
    if (url.endsWith('/schedule')) seen += 1
    const isLast = url.endsWith('/schedule') && seen === at
    if (isLast && when === 'before') {
      child?.kill('SIGKILL')
      return
    }
    const passed = request(`${kit.url}${url}`, { method, headers: { ...headers, host: new URL(kit.url).host } })
    passed.on('response', async (answer) => {
      const bytes = Buffer.concat(await answer.toArray())
      if (isLast) child?.kill('SIGKILL')
      else outgoing.writeHead(answer.statusCode ?? 0, { 'content-type': answer.headers['content-type'] }).end(bytes)
    })
    passed.end(body)
  })
  const port = await listen(server)
  const env = { SOCIAL_BASE_URL: `http://127.0.0.1:${port}` }
  return {
    env,
    async run(args: readonly string[]) {
      child = social.launch(args, { env })
      const [, signal] = await once(child, 'close')
      expect(signal).toBe('SIGKILL')
      child = undefined
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

test.each([
  ['before', 1],
  ['before', 6],
  ['after', 1],
  ['after', 6],
  ['after', 12],
] as const)(
  'a death %s the service has request %i leaves no row out and doubles none',
  async (when, at) => {
    const name = `Death-${when}-${at}`
    const file = write(`${name}.csv`, rowsOf(name, 12))
    const killer = await killerOf(at, when)
    try {
      await killer.run(['bulk', file])
      const before = reportOf(file)
      expect(before.filter(({ type }) => type === 'sent').length).toBeGreaterThan(outcomes(file))
      const resumed = await social.json(['bulk', file], { env: killer.env })
      expect(resumed).toMatchObject({ code: 0, data: { accepted: 12, problems: [] } })
      expect(await listed(name)).toEqual(expected(name, 12))
    } finally {
      killer.close()
    }
  },
  60_000,
)

test('a line that is cut off in the report is written again', async () => {
  const file = write('torn.csv', rowsOf('Torn', 3))
  const report = join(social.home, 'torn.csv.report.jsonl')
  expect((await social.run(['bulk', file])).code).toBe(0)
  const text = readFileSync(report, 'utf8')
  // As if it had been killed while it wrote the last outcome.
  writeFileSync(report, text.slice(0, -20))
  expect(await social.json(['bulk', file])).toMatchObject({ code: 0, data: { accepted: 3, acceptedNow: 1 } })
  expect(await listed('Torn')).toEqual(expected('Torn', 3))
  expect(reportOf(file).filter(({ type }) => type === 'outcome')).toHaveLength(3)
  writeFileSync(report, text.replace('"type":"sent"', '"type:"sent"'))
  const damaged = await social.run(['bulk', file])
  expect(damaged).toMatchObject({ code: 2, stderr: expect.stringMatching(/line 2 is damaged/) })
})

test('a response that the service no longer remembers is found by the external ID', async () => {
  const file = write('old.csv', rowsOf('Old', 2))
  const report = join(social.home, 'old.csv.report.jsonl')
  expect((await social.run(['bulk', file])).code).toBe(0)
  // As if the response of the last row had been lost, two days ago, and its key forgotten.
  const dayMs = 24 * 60 * 60_000
  const lines = readFileSync(report, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const aged = lines.slice(0, -1).map((line) => ({
    ...line,
    at: new Date(Date.parse(line.at) - 2 * dayMs).toISOString(),
    ...(line.type === 'sent' ? { key: `forgotten-${line.row}` } : {}),
  }))
  writeFileSync(report, aged.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const resumed = await social.json(['bulk', file])
  expect(resumed).toMatchObject({ code: 0, data: { accepted: 2, acceptedNow: 1 } })
  expect(resumed.stderr).toContain('older than 24 hours')
  expect(await listed('Old')).toEqual(expected('Old', 2))
})

test('rows may be inserted; a row that was changed after it was sent is reported, and not sent', async () => {
  const rows = rowsOf('Moved', 3)
  const file = write('moved.csv', rows)
  expect((await social.run(['bulk', file])).code).toBe(0)
  const [first, second, third] = rows
  if (!first || !second || !third) throw new Error('there are three rows')
  write('moved.csv', [{ ...first, content: 'Moved new' }, first, second, third])
  expect(await social.json(['bulk', file])).toMatchObject({
    code: 0,
    data: { accepted: 4, acceptedNow: 1, changed: 0 },
  })
  write('moved.csv', [{ ...first, content: 'Moved new' }, first, { ...second, content: 'Moved two, corrected' }, third])
  const changed = await social.run(['bulk', file])
  expect(changed.code).toBe(4)
  expect(changed.stdout).toContain('Changed after it was sent, and not sent again. Edit its post: social posts edit ')
  expect(await listed('Moved')).toEqual([...expected('Moved', 3), 'Moved new'].sort())
})

test('refused rows are reported, corrected ones are sent, and the others are left alone', async () => {
  const rows = rowsOf('Long', 3)
  const [first, second, third] = rows
  if (!first || !second || !third) throw new Error('there are three rows')
  const long = { ...second, content: `Long ${'x'.repeat(400)}` }
  const file = write('long.csv', [first, long, third])
  const dry = await social.json(['bulk', file, '--dry-run'])
  expect(dry).toMatchObject({ code: 4, data: { rows: 3, valid: 2, issues: [{ number: 3, code: 'content_length' }] } })
  expect(await listed('Long')).toEqual([])
  const refused = await social.json(['bulk', file])
  expect(refused).toMatchObject({ code: 4, data: { accepted: 2, failed: 1, problems: [{ row: 3 }] } })
  // The same again sends nothing, and still says so.
  expect(await social.json(['bulk', file])).toMatchObject({ code: 4, data: { accepted: 2, acceptedNow: 0, failed: 1 } })
  expect(await social.json(['bulk', file, '--retry-failed'])).toMatchObject({ code: 4, data: { failed: 1 } })
  write('long.csv', [first, second, third])
  expect(await social.json(['bulk', file])).toMatchObject({ code: 0, data: { accepted: 3, acceptedNow: 1 } })
  expect(await listed('Long')).toEqual(expected('Long', 3))
})

test('every problem of a row is found before anything is sent', async () => {
  const file = write('wrong.csv', [
    { accounts: 'bluesky', content: 'Wrong 1', at: 'tomorrow 9:00' },
    { accounts: 'blueski', content: 'Wrong 2', at: 'tomorrow 9:00' },
    { accounts: 'bluesky', content: 'Wrong 3', at: '' },
    { accounts: '', content: 'Wrong 4', at: 'tomorrow' },
  ])
  const { code, stderr } = await social.run(['bulk', file])
  expect(code).toBe(2)
  expect(stderr).toMatch(
    /^wrong\.csv, row 3: "blueski" is not an account of this workspace\. Did you mean "bluesky"\? [^\n]+ wrong\.csv, row 4: [^\n]+ wrong\.csv, row 5: [^\n]+\n$/,
  )
  const dry = await social.run(['bulk', file, '--dry-run'])
  expect(dry.code).toBe(4)
  expect(dry.stdout).toMatch(/^3 +"blueski"/m)
  expect(dry.stdout).toMatch(/^4 +The cell "at" is empty/m)
  expect(dry.stdout).toMatch(/^5 +The cell "accounts" is empty/m)
  expect(dry.stdout).toContain('1 of 4 rows can be sent. Nothing was sent.')
  expect(await listed('Wrong')).toEqual([])
  expect(reportOf(file)).toEqual([])
})

const header = 'accounts,content,at'
const line = 'bluesky,Sheet ü,tomorrow 9:00'

test.each([
  ['semicolons', `${header}\n${line}\n`.replaceAll(',', ';'), []],
  ['tabs', `${header}\n${line}\n`.replaceAll(',', '\t'), []],
  ['a line sep= and CRLF', `sep=;\r\n${header}\r\n${line}\r\n`.replaceAll(',', ';'), []],
  [
    'UTF-16, as Excel saves Unicode text',
    Buffer.from(`\ufeff${header}\n${line}\n`.replaceAll(',', '\t'), 'utf16le'),
    [],
  ],
  ['rows and columns of empty cells', `${header},,\n\n,,,,\n${line},,\n , ,,,\n`, []],
  ['Windows-1252 that is named', Buffer.from(`${header}\n${line}\n`, 'latin1'), ['--encoding', 'windows-1252']],
  ['a date with the year first', `${header}\n${line.replace('tomorrow', `${new Date().getFullYear() + 1}/3/4`)}\n`, []],
])('a file of a spreadsheet is sent with the intended meaning: %s', async (name, content, more) => {
  const file = `${name.replaceAll(/\W/g, '-')}.csv`
  writeFileSync(join(social.home, file), content)
  const dry = await social.json(['bulk', file, '--dry-run', ...more])
  expect(dry).toMatchObject({ code: 0, data: { rows: 1, valid: 1, issues: [] } })
  const sent = await social.json(['bulk', file, ...more])
  expect(sent).toMatchObject({ code: 0, data: { rows: 1, accepted: 1 } })
  const { items } = await kit.api.posts.list({ query: { limit: 1 } })
  expect(items).toMatchObject([{ content: 'Sheet ü' }])
})

test.each([
  [
    'Windows-1252',
    Buffer.from(`${header}\n${line.replace('ü', 'u')}\n${line}\n`, 'latin1'),
    /line 3 is not UTF-8\. .*--encoding windows-1252\.$/,
  ],
  ['more cells than columns', `${header}\n${line}\n${line},more\n`, /row 3 has more or fewer cells/],
])('a file that cannot be read is refused as a whole, in a dry run as well: %s', async (_, content, sentence) => {
  writeFileSync(join(social.home, 'unreadable.csv'), content)
  const { total } = await kit.api.posts.list({ query: { limit: 1 } })
  for (const more of [['--dry-run'], []]) {
    const refused = await social.run(['bulk', 'unreadable.csv', ...more])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/^unreadable\.csv: /) })
    expect(refused.stderr.trim()).toMatch(sentence)
  }
  expect(await kit.api.posts.list({ query: { limit: 1 } })).toMatchObject({ total })
})

test('files are uploaded once, and the report belongs to one workspace', async () => {
  writeFileSync(join(social.home, 'cat.png'), await png(32, 32))
  const columns = ['accounts', 'content', 'at', 'media', 'externalId']
  const rows = rowsOf('Cat', 2).map((row, n) => ({ ...row, media: 'cat.png', externalId: `cat-${n}` }))
  const file = write('cat.csv', rows, columns)
  expect(await social.json(['bulk', file])).toMatchObject({ code: 0, data: { accepted: 2 } })
  const posts = await social.json(['posts', 'list', '--external-id', 'cat-1'])
  expect(posts.data).toMatchObject([
    { content: 'Cat 2', externalId: 'cat-1', mediaUrls: [expect.stringMatching(/^med_/)] },
  ])
  const files = await kit.api.media.list()
  expect(files.items).toHaveLength(1)
  const other = await kit.sessionApi.workspaces.create({ body: { name: 'Other', timezone: 'UTC' } })
  const { pat } = kit
  const elsewhere = await social.run(['bulk', file], { env: { SOCIAL_TOKEN: pat, SOCIAL_WORKSPACE: other.id } })
  expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining('is the report of the workspace') })
})
