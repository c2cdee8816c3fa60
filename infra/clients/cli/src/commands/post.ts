import type { Command } from 'commander'
import { summaries } from '../../../../../shared/platforms/registry/summaries.ts'
import type { Client, Post } from '../../../javascript/src/index.ts'
import { type Account, accountName, accountsNamed, shownName } from '../accounts.ts'
import { checkPost, type Issue, type Warning } from '../check.ts'
import type { Cli } from '../cli.ts'
import { PartlyFailed, Usage } from '../errors.ts'
import { listOption, repeatedOption, wholeNumber, zoneOption } from '../options.ts'
import { plain } from '../output.ts'
import { assertPublished, outcomeOf, usualWaitSeconds } from '../posts.ts'
import { openWorkspace } from '../session.ts'
import { cut } from '../table.ts'
import { readJsonObject, readStdin, readTextFile } from '../text.ts'
import { readFutureTime, sayTime, zoneOf } from '../time.ts'
import { assertFile, isInLibrary, uploadFile } from '../upload.ts'

/** The parts of a thread: texts divided by lines of three or more hyphens. */
const partsOf = (texts: readonly string[]): string[] => {
  const parts = texts.flatMap((text) => text.split(/^-{3,}[ \t]*$/m)).map((part) => part.trim())
  if (parts.some((part) => part === '')) {
    throw new Usage('A part of the thread is empty. Divide the parts with one line "---" between two texts.')
  }
  if (parts.length < 2)
    throw new Usage('A thread has at least 2 parts. Divide the text with lines "---", or give more files.')
  if (parts.length > 25) throw new Usage(`A thread has at most 25 parts, and these are ${parts.length}.`)
  return parts
}

interface Options {
  account?: string[]
  at?: string
  zone?: string
  file?: string[]
  media?: string[]
  alt?: string[]
  thread?: boolean
  metadata?: string
  firstComment?: string
  externalId?: string
  wait?: boolean
  timeout: number
  dryRun?: boolean
}

/** Everything that can be checked without the service. */
interface Plan {
  texts: string[]
  files: string[]
  alt: readonly string[]
  atMs: number | undefined
  zone: string
  /** The common part of a request for posts and of one for a thread. */
  more: { metadata?: Record<string, unknown>; firstComment?: { text: string }; externalId?: string }
}

const textsOf = async ({ out }: Cli, text: string | undefined, files: readonly string[]): Promise<string[]> => {
  const isPiped = text === undefined && files.length === 0 && process.stdin.isTTY !== true
  if (text !== undefined && text !== '-' && files.length > 0)
    throw new Usage('Give the text once: as an argument, or with --file.')
  if (text === '-' || isPiped) return [await readStdin(out, 'the text')]
  const read = await Promise.all(files.map((path) => (path === '-' ? readStdin(out, 'the text') : readTextFile(path))))
  return text === undefined ? read : [text]
}

const planOf = async (cli: Cli, text: string | undefined, options: Options): Promise<Plan> => {
  const zone = zoneOf(options.zone)
  const atMs = options.at === undefined ? undefined : readFutureTime(options.at, zone)
  const { media: files = [], alt = [], file = [] } = options
  if (alt.length > files.length)
    throw new Usage('Each --alt belongs to one --media, in the same order. There are more of them.')
  if (options.thread && files.length > 0)
    throw new Usage('--media is for single posts: a thread is sent without files here.')
  for (const path of files) if (!isInLibrary(path)) assertFile(path)
  const metadata = readJsonObject('--metadata', options.metadata)
  const read = await textsOf(cli, text, file)
  if (!options.thread && read.length > 1) throw new Usage('Several files are the parts of a thread: add --thread.')
  const texts = options.thread ? partsOf(read) : read.map((each) => each.trim())
  if (texts.every((each) => each === '') && files.length === 0) {
    throw new Usage('The text is missing: social post "Hello", or social post --file hello.txt')
  }
  const { firstComment: comment, externalId } = options
  const more = {
    ...(metadata === undefined ? {} : { metadata }),
    ...(comment === undefined ? {} : { firstComment: { text: comment } }),
    ...(externalId === undefined ? {} : { externalId }),
  }
  return { texts: texts.length > 0 ? texts : [''], files, alt, atMs, zone, more }
}

const threadPlatforms = Object.entries(summaries).flatMap(([id, { hasThreads }]) => (hasThreads ? [id] : []))

const hasThreads = ({ providerId }: Account) => threadPlatforms.includes(providerId)

const eitherOf = new Intl.ListFormat('en', { type: 'disjunction' })

/** The named account, or the only one on a platform with threads. */
const threadAccount = (accounts: readonly Account[], given: readonly string[]): Account => {
  const withThreads = accounts.filter(hasThreads)
  const [account, ...more] = given.length > 0 ? accountsNamed(accounts, given) : accountsNamed(withThreads, [])
  if (account === undefined || more.length > 0)
    throw new Usage('A thread goes to one account. Name one with --account.')
  if (hasThreads(account)) return account
  throw new Usage(
    `Threads are for accounts on ${eitherOf.format(threadPlatforms)}, and ${accountName(account)} is not. Choose another one with --account.`,
  )
}

const noteWarnings = (cli: Cli, warnings: readonly Warning[]): void => {
  // Authors do not pay the platform.
  const shown = warnings.filter(({ code }) => code !== 'platform_price')
  for (const { message, next } of shown) cli.out.note(`Warning: ${plain(message)} ${next}`)
}

const checkOnly = async (cli: Cli, client: Client, plan: Plan, accounts: readonly Account[]): Promise<void> => {
  const { out } = cli
  const socialAccountIds = accounts.map(({ id }) => id)
  const known = plan.files.filter(isInLibrary)
  const hasFiles = known.length < plan.files.length
  const scheduledAt = plan.atMs === undefined ? null : new Date(plan.atMs).toISOString()
  const issues: (Issue & { part?: number })[] = []
  const warnings: Warning[] = []
  const { firstComment, ...shared } = plan.more
  for (const [at, content] of plan.texts.entries()) {
    const isLast = at === plan.texts.length - 1
    const request = {
      socialAccountIds,
      content,
      ...(known.length > 0 ? { mediaUrls: known } : {}),
      ...shared,
      ...(isLast && firstComment ? { firstComment } : {}),
      ...(scheduledAt === null ? {} : { scheduledAt }),
    }
    const checked = await checkPost(cli, client, request, hasFiles)
    warnings.push(...checked.warnings)
    issues.push(...checked.issues.map((issue) => (plan.texts.length > 1 ? { part: at + 1, ...issue } : issue)))
  }
  if (hasFiles) out.note('The files are checked when they are uploaded.')
  noteWarnings(cli, warnings)
  const result = {
    valid: issues.length === 0,
    scheduledAt,
    accounts: accounts.map(accountName),
    issues,
    warnings,
  }
  out.result(result, () => {
    if (issues.length > 0) {
      for (const { part, message, next = '' } of issues)
        out.line(`${part ? `Part ${part}: ` : ''}${plain(message)} ${next}`.trimEnd())
      return
    }
    const when = plan.atMs === undefined ? 'now' : `on ${sayTime(plan.atMs, plan.zone)}`
    const what = plan.texts.length > 1 ? `The thread of ${plan.texts.length}` : 'The post'
    out.line(
      `${what} is valid. It would be published ${when} to ${accounts.map(accountName).join(', ')}. Nothing was sent.`,
    )
  })
  if (issues.length > 0)
    throw new PartlyFailed(
      `${issues.length === 1 ? '1 issue' : `${issues.length} issues`}: the service would refuse this.`,
    )
}

const sendThread = async (cli: Cli, client: Client, { plan, account }: { plan: Plan; account: Account }) => {
  const body = { socialAccountId: account.id, tweets: plan.texts.map((content) => ({ content })), ...plan.more }
  const { stopped: signal } = cli
  const { threadHeadPost, postIds } =
    plan.atMs === undefined
      ? await client.posts.publishThreadNow(body, { signal })
      : await client.posts.scheduleThread({ ...body, scheduledAt: new Date(plan.atMs).toISOString() }, { signal })
  const others = await Promise.all(postIds.slice(1).map((id) => client.posts.get(id, { signal })))
  return [threadHeadPost, ...others]
}

const sendPosts = async (
  cli: Cli,
  client: Client,
  { plan, accounts }: { plan: Plan; accounts: readonly Account[] },
) => {
  const { stopped: signal } = cli
  const mediaUrls: string[] = []
  for (const [at, path] of plan.files.entries()) {
    mediaUrls.push(isInLibrary(path) ? path : (await uploadFile(cli, client, path, plan.alt[at])).id)
  }
  const body = {
    socialAccountIds: accounts.map(({ id }) => id),
    content: plan.texts[0] ?? '',
    ...(mediaUrls.length > 0 ? { mediaUrls } : {}),
    ...plan.more,
  }
  return plan.atMs === undefined
    ? client.posts.publishNow(body, { signal })
    : client.posts.schedule({ ...body, scheduledAt: new Date(plan.atMs).toISOString() }, { signal })
}

const waitFor = async (cli: Cli, client: Client, posts: readonly Post[], seconds: number): Promise<Post[]> => {
  cli.out.note('Waiting for the outcome …')
  const dueMs = Math.max(0, ...posts.map(({ plannedAt }) => Date.parse(plannedAt) - Date.now()))
  const timeoutMs = dueMs + seconds * 1000
  return Promise.all(posts.map(({ id }) => outcomeOf(client, id, { stopped: cli.stopped, timeoutMs })))
}

const post = async (cli: Cli, text: string | undefined, options: Options): Promise<void> => {
  const { out, stopped } = cli
  const plan = await planOf(cli, text, options)
  const { client } = await openWorkspace(cli)
  const all = await client.socialAccounts.list({}, { signal: stopped })
  const given = options.account ?? []
  const accounts = options.thread ? [threadAccount(all, given)] : accountsNamed(all, given)
  if (options.dryRun) return checkOnly(cli, client, plan, accounts)
  const [first] = accounts
  const sent =
    options.thread && first
      ? await sendThread(cli, client, { plan, account: first })
      : await sendPosts(cli, client, { plan, accounts })
  noteWarnings(
    cli,
    sent.flatMap(({ warnings = [] }) => warnings),
  )
  const posts = options.wait ? await waitFor(cli, client, sent, options.timeout) : sent
  const names = new Map(all.map((account) => [account.id, shownName(account, all)]))
  out.result(posts, () => {
    if (plan.atMs !== undefined) out.line(`Scheduled for ${sayTime(plan.atMs, plan.zone)}.`)
    else if (!options.wait) out.line('Accepted for publication now. "social posts watch <ID>" shows the outcome.')
    out.table<Post>(
      {
        ID: ({ id }) => id,
        STATUS: ({ status }) => status,
        ACCOUNT: ({ socialAccountId }) => names.get(socialAccountId) ?? '',
        [options.wait ? 'ADDRESS OR ERROR' : 'TEXT']: (each) =>
          options.wait ? (each.publishedPostUrl ?? each.error ?? '') : cut(each.content, 40),
      },
      posts,
    )
  })
  if (options.wait) assertPublished(posts)
}

export const addPost = (program: Command, cli: Cli): void => {
  program
    .command('post')
    .summary('publish or schedule a post or a thread')
    .description('Publishes a post now, or schedules it. Reads the text from stdin without one.')
    .argument('[text]')
    .addOption(listOption('-a, --account <names>', 'accounts, by ID, name, or platform'))
    .option('--at <time>', 'when: "tomorrow 9:00", "in 2 hours", or RFC 3339')
    .addOption(zoneOption())
    .addOption(repeatedOption('-f, --file <path>', 'read the text; each a part of a thread'))
    .option('--thread', 'a thread, split by lines "---"')
    .addOption(repeatedOption('-m, --media <file>', 'attach a file, or the ID of one'))
    .addOption(repeatedOption('--alt <text>', 'alternative text of a file, in order'))
    .option('--metadata <json>', 'fields of single platforms, or @file')
    .option('--first-comment <text>', 'a comment under the post once it is live')
    .option('--external-id <id>', 'your own ID')
    .option('--wait', 'wait for the outcome; exit code 4 if not published')
    .option('--timeout <seconds>', 'how long to wait', wholeNumber(1, 86_400), usualWaitSeconds)
    .option('--dry-run', 'only check')
    .addHelpText(
      'after',
      `
Examples:
  social post "Hello" --account bluesky,x --at "tomorrow 9:00"
  social post --thread --file thread.md --account x --wait`,
    )
    .action((text: string | undefined, options: Options) => post(cli, text, options))
}
