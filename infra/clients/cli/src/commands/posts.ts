import { type Command, Option } from 'commander'
import type { Client, Post } from '../../../javascript/src/index.ts'
import { accountNamed } from '../accounts.ts'
import type { Cli } from '../cli.ts'
import { newText } from '../edit.ts'
import { PartlyFailed, Usage } from '../errors.ts'
import { addGroup, addList } from '../group.ts'
import { limitOption, platformOption, repeatedOption, wholeNumber, zoneOption } from '../options.ts'
import { assertPublished, outcomeOf, showPost, showPosts, usualWaitSeconds } from '../posts.ts'
import { openWorkspace } from '../session.ts'
import { readFutureTime, readTime, sayTime, zoneOf } from '../time.ts'
import { isInLibrary, uploadFile } from '../upload.ts'

const statuses = ['scheduled', 'published', 'failed', 'cancelled']

interface ListOptions {
  status?: string
  account?: string
  platform?: string
  externalId?: string
  search?: string
  from?: string
  to?: string
  sort?: string
  limit: number
  zone?: string
}

const list = async (cli: Cli, options: ListOptions): Promise<void> => {
  const { out, stopped: signal } = cli
  const zone = zoneOf(options.zone)
  const moment = (text: string | undefined) =>
    text === undefined ? undefined : new Date(readTime(text, zone)).toISOString()
  const [from, to] = [moment(options.from), moment(options.to)]
  if (from !== undefined && to !== undefined && to <= from) throw new Usage('--to must be later than --from.')
  const { client } = await openWorkspace(cli)
  const accounts = await client.socialAccounts.list({}, { signal })
  const socialAccountId = options.account === undefined ? undefined : accountNamed(accounts, options.account).id
  const { status, platform, externalId, search: q, limit } = options
  const sort = options.sort ?? (from === undefined ? undefined : 'scheduledAt')
  const order = sort === 'scheduledAt' ? 'asc' : undefined
  const query = { status, platform, externalId, q, from, to, sort, order, socialAccountId, limit: Math.min(limit, 200) }
  const posts: Post[] = []
  for await (const post of client.posts.list.all(query as Parameters<typeof client.posts.list.all>[0], { signal })) {
    posts.push(post)
    if (posts.length === limit) break
  }
  out.result(posts, () => {
    if (posts.length > 0) showPosts(cli, posts, zone, accounts)
    else out.line('No posts.')
  })
}

const get = async (cli: Cli, id: string, options: { zone?: string }): Promise<void> => {
  const zone = zoneOf(options.zone)
  const { client } = await openWorkspace(cli)
  const post = await client.posts.get(id, { signal: cli.stopped })
  cli.out.result(post, () => showPost(cli, post, zone))
}

const watch = async (cli: Cli, ids: readonly string[], options: { timeout: number; zone?: string }): Promise<void> => {
  const { out, stopped } = cli
  const zone = zoneOf(options.zone)
  const { client } = await openWorkspace(cli)
  const shown = new Map<string, string>()
  const onPost = (post: Post) => {
    const { id, status, plannedAt, publishedPostUrl, error } = post
    const state = `${status} ${plannedAt}`
    if (shown.get(id) === state) return
    shown.set(id, state)
    const more = publishedPostUrl ?? error ?? sayTime(Date.parse(plannedAt), zone)
    out.record(post, () => out.line(`${id}  ${status}  ${more}`))
  }
  const timeoutMs = options.timeout * 1000
  assertPublished(await Promise.all(ids.map((id) => outcomeOf(client, id, { stopped, timeoutMs, onPost }))))
}

/** Performs an action on each post, and shows the failures at the end. */
const cancel = async (cli: Cli, ids: readonly string[]): Promise<void> => {
  const { out, stopped: signal } = cli
  const { client } = await openWorkspace(cli)
  const [id, ...more] = ids
  if (id !== undefined && more.length === 0) {
    const cancelled = await client.posts.cancel(id, { signal })
    return out.result(cancelled, () => out.line(`Canceled ${id}.`))
  }
  const outcomes: { id: string; cancelled: boolean; error?: string }[] = []
  for (const each of ids) {
    const outcome = await client.posts.cancel(each, { signal }).then(
      () => ({ id: each, cancelled: true }),
      (error: unknown) => {
        if (signal.aborted || !(error instanceof Error)) throw error
        return { id: each, cancelled: false, error: error.message }
      },
    )
    outcomes.push(outcome)
  }
  out.result(outcomes, () => {
    for (const { id: each, error } of outcomes) out.line(error ? `${each}: ${error}` : `Canceled ${each}.`)
  })
  const failed = outcomes.filter(({ cancelled }) => !cancelled).length
  if (failed > 0) throw new PartlyFailed(`${failed} of ${ids.length} posts were not canceled.`)
}

const reschedule = async (cli: Cli, id: string, options: { at: string; zone?: string }): Promise<void> => {
  const zone = zoneOf(options.zone)
  const atMs = readFutureTime(options.at, zone)
  const { client } = await openWorkspace(cli)
  const post = await client.posts.reschedule(id, { scheduledAt: new Date(atMs).toISOString() }, { signal: cli.stopped })
  cli.out.result(post, () => cli.out.line(`Scheduled for ${sayTime(Date.parse(post.plannedAt), zone)}.`))
}

interface EditOptions {
  content?: string
  file?: string
  media?: string[]
}

const mediaOf = async (cli: Cli, client: Client, paths: readonly string[] | undefined) => {
  if (paths === undefined) return {}
  const mediaUrls: string[] = []
  for (const path of paths) mediaUrls.push(isInLibrary(path) ? path : (await uploadFile(cli, client, path)).id)
  return { mediaUrls }
}

const edit = async (cli: Cli, id: string, options: EditOptions): Promise<void> => {
  const { out, stopped: signal } = cli
  const { client } = await openWorkspace(cli)
  const { data: before, etag } = await client.posts.get(id, { signal }).withResponse()
  const isText = options.media === undefined || options.content !== undefined || options.file !== undefined
  const content = isText ? await newText(cli, before.content, options) : before.content
  const media = await mediaOf(cli, client, options.media)
  if (content === before.content && options.media === undefined) {
    return out.result(before, () => out.line('The text is the same. Nothing was changed.'))
  }
  // Someone else may change the post while the editor is open.
  const body = { ...(isText ? { content } : {}), ...media }
  const post = await client.posts.update(id, body, { signal, ifMatch: etag ?? undefined })
  out.result(post, () => out.line(`Changed ${id}, version ${post.version}.`))
}

const assertIds = (ids: readonly string[]) => {
  const wrong = ids.find((id) => !/^[\w.-]{1,100}$/.test(id))
  if (wrong !== undefined) throw new Usage(`"${wrong}" is not the ID of a post. "social posts" lists them.`)
}

export const addPosts = (program: Command, cli: Cli): void => {
  const group = addGroup(program, 'posts', 'list, follow, and change posts', [
    'social posts --status scheduled',
    'social posts list --from "today 0:00" --to "in 7 days 0:00"',
    'social posts watch 01K9ZJ3V6Q8N5W2R7T4Y0X1C3B00',
    'social posts reschedule 01K9ZJ3V6Q8N5W2R7T4Y0X1C3B00 --at "friday 9:00"',
  ])
  group.hook('preAction', (_group, command) => assertIds(command.name() === 'list' ? [] : command.args))
  addList(group, 'list posts, the newest first')
    .addOption(new Option('--status <status>', 'only posts with this status').choices(statuses))
    .option('-a, --account <name>', 'only posts to this account')
    .addOption(platformOption('--platform <platform>', 'only posts to this platform'))
    .option('--external-id <id>', 'only posts with your own ID')
    .option('--search <text>', 'only posts with this text')
    .option('--from <time>', 'only posts at this time or later, the earliest first')
    .option('--to <time>', 'only posts before this time')
    .addOption(new Option('--sort <by>', 'the order').choices(['createdAt', 'scheduledAt']))
    .addOption(limitOption(50))
    .addOption(zoneOption())
    .action((options: ListOptions) => list(cli, options))
  group
    .command('get')
    .description('Shows a post with its outcome.')
    .argument('<id>', 'ID of the post')
    .addOption(zoneOption())
    .action((id: string, options: { zone?: string }) => get(cli, id, options))
  group
    .command('watch')
    .description('Prints each change of posts until they are published or have failed.')
    .argument('<ids...>', 'IDs of posts')
    .option('--timeout <seconds>', 'how long to wait', wholeNumber(1, 86_400 * 7), usualWaitSeconds)
    .addOption(zoneOption())
    .action((ids: string[], options: { timeout: number; zone?: string }) => watch(cli, ids, options))
  group
    .command('cancel')
    .description('Cancels scheduled posts.')
    .argument('<ids...>', 'IDs of posts; of a thread, that of the first')
    .action((ids: string[]) => cancel(cli, ids))
  group
    .command('reschedule')
    .description('Moves a post to another time, or tries a failed one again.')
    .argument('<id>', 'ID of the post')
    .requiredOption('--at <time>', 'the new time: "tomorrow 9:00", "in 2 hours", or RFC 3339')
    .addOption(zoneOption())
    .action((id: string, options: { at: string; zone?: string }) => reschedule(cli, id, options))
  group
    .command('edit')
    .description('Changes the text of a post, by default in your editor.')
    .argument('<id>', 'ID of the post')
    .option('--content <text>', 'the new text')
    .option('-f, --file <path>', 'read the new text; "-" for stdin')
    .addOption(repeatedOption('-m, --media <file>', 'the new files, which replace all others'))
    .action((id: string, options: EditOptions) => edit(cli, id, options))
}
