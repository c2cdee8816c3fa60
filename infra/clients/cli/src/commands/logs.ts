import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { eventCursor } from '../../../../../shared/events/event.ts'
import { lowestUlid } from '../../../../../shared/ids.ts'
import type { ReceivedEvent } from '../../../javascript/src/index.ts'
import { eventTypesOf } from '../../../listen/target.ts'
import type { Cli } from '../cli.ts'
import { zoneOption } from '../options.ts'
import { cut, plain } from '../output.ts'
import { openWorkspace } from '../session.ts'
import { readTime, zoneOf } from '../time.ts'

interface Options {
  since: string
  types?: string
  follow?: boolean
  zone?: string
}

/** The log shows events 90 seconds late, and calls count against the limit of the caller. */
const everyMs = 5_000

/** What people look for in an event. */
const gist = ({ data }: ReceivedEvent): string => {
  const known = data as Readonly<Record<string, unknown>>
  const names = ['postId', 'socialAccountId', 'publishedPostUrl', 'error'] as const
  return names.flatMap((name) => (typeof known[name] === 'string' ? [known[name]] : [])).join('  ')
}

const logs = async (cli: Cli, options: Options): Promise<void> => {
  const { out, stopped: signal } = cli
  const since = readTime(options.since, zoneOf(options.zone))
  const types = options.types === undefined ? undefined : eventTypesOf(options.types).join(',')
  const { client } = await openWorkspace(cli)
  let cursor = eventCursor(lowestUlid(since), 0)
  for (;;) {
    const query = { cursor, limit: 200, ...(types === undefined ? {} : { types }) }
    const page = await client.webhooks.listEventLog(query, { signal })
    for (const event of page.items) {
      out.record(event, () =>
        out.line(
          `${event.createdAt.slice(0, 19).replace('T', ' ')}  ${out.paint('cyan', event.type)}  ${cut(plain(gist(event)), 120)}`,
        ),
      )
    }
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
