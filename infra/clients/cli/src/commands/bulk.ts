import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import type { Account } from '../accounts.ts'
import { type Planned, type Problem, planRows } from '../bulk/plan.ts'
import { type Outcome, openReport, type Report, type RunLine, readReport } from '../bulk/report.ts'
import { columns, type Row, readRows } from '../bulk/rows.ts'
import { runAll, sendRows, type Unknown } from '../bulk/send.ts'
import { type Sorted, sortRows } from '../bulk/sort.ts'
import { checkPost, type Issue } from '../check.ts'
import type { Cli } from '../cli.ts'
import { PartlyFailed, Usage } from '../errors.ts'
import { zoneOption } from '../options.ts'
import { startProgress } from '../progress.ts'
import { openWorkspace, type WorkspaceSession } from '../session.ts'
import { zoneOf } from '../time.ts'
import { isInLibrary } from '../upload.ts'

/** How often a row is tried: many rows meet the rate limit again and again. */
const patience = 20

interface Options {
  dryRun?: boolean
  report?: string
  retryFailed?: boolean
  now?: boolean
  zone?: string
  encoding?: string
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

const plan = (rows: readonly Row[], accounts: readonly Account[], options: Options) =>
  planRows(rows, { accounts, zone: zoneOf(options.zone), now: options.now === true, nowMs: Date.now() })

type RowIssue = Problem & Partial<Pick<Issue, 'code' | 'field'>>

const issuesIn = async (cli: Cli, { client }: WorkspaceSession, planned: Planned): Promise<RowIssue[]> => {
  const { row, accountIds, content, scheduledAt, media, metadata } = planned
  const known = media.filter(isInLibrary)
  const request = {
    socialAccountIds: accountIds,
    content,
    ...(known.length > 0 ? { mediaUrls: known } : {}),
    ...(scheduledAt === null ? {} : { scheduledAt }),
    ...(metadata === undefined ? {} : { metadata }),
  }
  const { issues } = await checkPost(cli, client, request, known.length < media.length)
  return issues.map(({ code, field, message, next = '' }) => ({
    number: row.number,
    code,
    ...(field === undefined ? {} : { field }),
    message: `${message} ${next}`.trimEnd(),
  }))
}

/** Checks every row, and sends none. */
const check = async (cli: Cli, rows: readonly Row[], options: Options): Promise<void> => {
  const { out, stopped } = cli
  const session = await openWorkspace(cli, patience)
  const accounts = await session.client.socialAccounts.list({}, { signal: stopped })
  const { planned, problems } = plan(rows, accounts, options)
  const issues: RowIssue[] = [...problems]
  const progress = startProgress(out.errors, planned.length, (done) => `${done}/${planned.length} checked`)
  let done = 0
  const tasks = planned.map((each) => async () => {
    issues.push(...(await issuesIn(cli, session, each)))
    done += 1
    progress.at(done)
  })
  await runAll(tasks, stopped).finally(() => progress.end())
  issues.sort((a, b) => a.number - b.number)
  const invalid = new Set(issues.map(({ number }) => number)).size
  out.result({ rows: rows.length, valid: rows.length - invalid, issues }, () => {
    if (issues.length > 0) {
      const shown = { ROW: ({ number }: RowIssue) => String(number), PROBLEM: ({ message }: RowIssue) => message }
      out.table<RowIssue>(shown, issues)
    }
    out.line(`${rows.length - invalid} of ${plural(rows.length, 'row')} can be sent. Nothing was sent.`)
  })
  if (invalid > 0) throw new PartlyFailed(`${plural(invalid, 'row')} would be refused.`)
}

const newRun = ({ baseUrl, workspaceId }: WorkspaceSession): RunLine => ({
  type: 'run',
  version: 1,
  run: `bulk-${randomBytes(9).toString('hex')}`,
  baseUrl,
  workspaceId,
  at: new Date().toISOString(),
})

const assertSameTarget = (path: string, { run }: Report, { baseUrl, workspaceId }: WorkspaceSession): void => {
  if (run.baseUrl === baseUrl && run.workspaceId === workspaceId) return
  throw new Usage(
    `${path} is the report of the workspace ${run.workspaceId} at ${run.baseUrl}. Choose another file with --report.`,
  )
}

/** The most faulty rows that an error names. */
const maxNamed = 10

/** Rows to send for the first time, or again after a refusal. Throws if some cannot be sent. */
const plannedOf = (sorted: Sorted, accounts: readonly Account[], path: string, options: Options) => {
  const again = options.retryFailed ? sorted.failed : []
  const attempts = new Map(again.map(({ row, entry }) => [row.identity, entry.sent.attempt + 1]))
  const { planned, problems } = plan([...sorted.fresh, ...again.map(({ row }) => row)], accounts, options)
  if (problems.length > 0) {
    const shown = problems.slice(0, maxNamed).map(({ number, message }) => `${path}, row ${number}: ${message}`)
    const left = problems.length - shown.length
    throw new Usage([...shown, ...(left > 0 ? [`${plural(left, 'more row')}: --dry-run lists all.`] : [])].join(' '))
  }
  return planned.map((each) => ({ planned: each, attempt: attempts.get(each.row.identity) ?? 1 }))
}

const sayResume = (cli: Cli, path: string, report: Report, sorted: Sorted): void => {
  const { accepted, failed, unfinished } = sorted
  cli.out.note(
    `Continuing ${path}: ${accepted.length} accepted, ${failed.length} refused, ${unfinished.length} without an outcome.`,
  )
  const isOld = Date.now() - Date.parse(report.run.at) > 24 * 60 * 60_000
  if (isOld && unfinished.length > 0) {
    cli.out.note('It is older than 24 hours: rows without an outcome are looked for by their external ID first.')
  }
}

interface Result {
  outcomes: Outcome[]
  unknown: Unknown[]
}

const run = async (cli: Cli, file: string, rows: readonly Row[], options: Options): Promise<void> => {
  const { out, stopped } = cli
  const path = options.report ?? `${file}.report.jsonl`
  const session = await openWorkspace(cli, patience)
  const earlier = readReport(path)
  if (earlier) assertSameTarget(path, earlier, session)
  const sorted = sortRows(rows, earlier)
  const isIdle = sorted.fresh.length + sorted.unfinished.length === 0 && !options.retryFailed
  const accounts = isIdle ? [] : await session.client.socialAccounts.list({}, { signal: stopped })
  const fresh = plannedOf(sorted, accounts, file, options)
  if (earlier) sayResume(cli, path, earlier, sorted)
  const first = earlier ? undefined : newRun(session)
  const writer = openReport(path, first)
  const report = { run: earlier?.run ?? first ?? newRun(session), files: earlier?.files ?? new Map() }
  const total = fresh.length + sorted.unfinished.length
  const { outcomes, unknown }: Result = { outcomes: [], unknown: [] }
  const progress = startProgress(out.errors, total, (done) => `${done}/${total} rows`)
  const move = () =>
    progress.at(
      outcomes.length + unknown.length,
      `${outcomes.filter(({ status }) => status === 'failed').length} refused`,
    )
  const sending = {
    cli,
    client: session.client,
    report,
    writer,
    onOutcome: (outcome: Outcome) => {
      outcomes.push(outcome)
      move()
    },
    onUnknown: (each: Unknown) => {
      unknown.push(each)
      move()
    },
  }
  try {
    await sendRows(sending, sorted.unfinished, fresh)
  } catch (error) {
    progress.end()
    out.note(`${plural(outcomes.length, 'row')} done. Repeat the command to continue: ${path} remembers every row.`)
    throw error
  } finally {
    progress.end()
    writer.close()
  }
  const before = options.retryFailed ? [] : sorted.failed.flatMap(({ entry }) => (entry.outcome ? [entry.outcome] : []))
  showResult(cli, { path, name: report.run.run, rows }, sorted, { outcomes: [...before, ...outcomes], unknown })
}

const showResult = (
  { out }: Cli,
  { path, name, rows }: { path: string; name: string; rows: readonly Row[] },
  { accepted, changed }: Sorted,
  { outcomes, unknown }: Result,
): void => {
  const failed = outcomes.filter(({ status }) => status === 'failed')
  const sent = outcomes.length - failed.length
  const problems = [
    ...failed.map(({ row, message = '' }) => ({ row, problem: message })),
    ...unknown.map(({ row, message }) => ({ row, problem: `The outcome is unknown: ${message}` })),
    ...changed.map(({ row, entry }) => ({
      row: row.number,
      problem: `Changed after it was sent, and not sent again. Edit its post: social posts edit ${entry.outcome?.postIds[0] ?? '<ID>'}`,
    })),
  ].sort((a, b) => a.row - b.row)
  const summary = {
    run: name,
    report: path,
    rows: rows.length,
    accepted: accepted.length + sent,
    acceptedNow: sent,
    failed: failed.length,
    unknown: unknown.length,
    changed: changed.length,
    problems,
  }
  out.result(summary, () => {
    if (problems.length > 0) {
      type Shown = (typeof problems)[number]
      out.table<Shown>({ ROW: ({ row }) => String(row), PROBLEM: ({ problem }) => problem }, problems)
    }
    const now = accepted.length > 0 ? ` (${sent} of them now)` : ''
    out.line(`${summary.accepted} of ${plural(rows.length, 'row')} accepted${now}. Report: ${path}`)
    if (unknown.length > 0) out.line('Repeat the command to settle the rows whose outcome is unknown.')
    if (failed.length > 0)
      out.line('Correct the refused rows in the file and repeat the command, or add --retry-failed.')
  })
  if (problems.length > 0) throw new PartlyFailed(`${plural(problems.length, 'row')} failed.`)
}

const bulk = async (cli: Cli, file: string, options: Options): Promise<void> => {
  const rows = readRows(file, options.encoding)
  return options.dryRun ? check(cli, rows, options) : run(cli, file, rows, options)
}

export const addBulk = (program: Command, cli: Cli): void => {
  program
    .command('bulk')
    .summary('schedule the rows of a CSV file, resumable')
    .description(
      `Schedules one post per row. Its first line names the columns:\n${columns.join(', ')}.\nAfter an interruption, the same command continues and sends nothing twice.`,
    )
    .argument('<file>', 'the CSV file; accounts and media are divided by ";"')
    .option('--dry-run', 'check every row, and send none')
    .addOption(zoneOption())
    .option('--encoding <name>', 'the encoding of the file; by default UTF-8')
    .option('--now', 'publish rows without a time now')
    .option('--retry-failed', 'send refused rows again')
    .option('--report <path>', 'where rows are remembered; by default <file>.report.jsonl')
    .addHelpText(
      'after',
      '\nExamples:\n  social bulk posts.csv --dry-run\n  social bulk posts.csv --zone Europe/Berlin',
    )
    .action((file: string, options: Options) => bulk(cli, file, options))
}
