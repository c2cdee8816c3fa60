import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { eventCursor } from '../../../../../shared/events/event.ts'
import { lowestUlid } from '../../../../../shared/ids.ts'
import type { ReceivedEvent } from '../../../javascript/src/index.ts'
import { eventTypesOf } from '../../../listen/target.ts'
import { type Account, shownName } from '../accounts.ts'
import type { Cli } from '../cli.ts'
import { zoneOption } from '../options.ts'
import { type Output, plain } from '../output.ts'
import { openWorkspace } from '../session.ts'
import { cut } from '../table.ts'
import { clockTime, readTime, sayTime, zoneOf } from '../time.ts'

interface Shown {
  accounts: readonly Account[]
  zone: string
  out: Output
}

interface Options {
  since: string
  types?: string
  follow?: boolean
  zone?: string
}

/** The log shows events 90 seconds late, and calls count against the limit of the caller. */
const everyMs = 5_000

/** What happened, for people: why it failed, the address of what is live, or the time. */
const outcomeOf = ({ type, data }: ReceivedEvent, zone: string): string => {
  const known = data as Readonly<Record<string, unknown>>
  const names = ['error', 'liveDeletionError', 'liveEditError', 'commentError', 'commentUrl', 'publishedPostUrl']
  const outcome = names.map((name) => known[name]).find((value) => typeof value === 'string')
  if (typeof outcome === 'string') return outcome
  const isPlanned = type === 'post.scheduled' || type === 'post.rescheduled'
  return isPlanned ? `for ${sayTime(Date.parse(String(known['scheduledAt'])), zone)}` : ''
}

/** An event in one line: when, which, of which account, the text of its post, and what happened. */
const lineOf = (event: ReceivedEvent, { accounts, zone, out }: Shown): string => {
  const { socialAccountId, platform, content } = event.data as Readonly<Record<string, string | undefined>>
  const account = accounts.find(({ id }) => id === socialAccountId)
  const cells = [
    account === undefined ? platform : shownName(account, accounts),
    content && `"${cut(plain(content), 40)}"`,
    plain(outcomeOf(event, zone)),
  ]
  return [clockTime(event.createdAt, zone), out.paint('cyan', event.type), ...cells.filter(Boolean)].join('  ')
}

const logs = async (cli: Cli, options: Options): Promise<void> => {
  const { out, stopped: signal } = cli
  const zone = zoneOf(options.zone)
  const since = readTime(options.since, zone)
  const types = options.types === undefined ? undefined : eventTypesOf(options.types).join(',')
  const { client } = await openWorkspace(cli)
  let accounts: readonly Account[] = []
  let cursor = eventCursor(lowestUlid(since), 0)
  for (;;) {
    const query = { cursor, limit: 200, ...(types === undefined ? {} : { types }) }
    const page = await client.webhooks.listEventLog(query, { signal })
    // An account may have been connected since the last page.
    if (!out.json && page.items.length > 0) accounts = await client.socialAccounts.list({}, { signal })
    for (const event of page.items) out.record(event, () => out.line(lineOf(event, { accounts, zone, out })))
    cursor = page.nextCursor ?? cursor
    if (page.hasMore) continue
    if (!options.follow) return
    await sleep(everyMs, undefined, { signal })
  }
}

export const addLogs = (program: Command, cli: Cli): void => {
  program
    .command('logs')
    .summary('print the events of the workspace')
    .description('Prints the event log, the oldest event first. Events appear after 90 seconds.')
    .option('--since <time>', 'from when on', '24 hours ago')
    .option('--types <types>', 'only these event types, separated by commas')
    .option('-f, --follow', 'go on with what happens')
    .addOption(zoneOption())
    .addHelpText(
      'after',
      '\nExamples:\n  social logs --since "1 hour ago" --types post.publish_failed\n  social logs --follow --json | jq -r .type',
    )
    .action((options: Options) => logs(cli, options))
}
