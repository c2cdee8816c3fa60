import type { Command } from 'commander'
import type { Client } from '../../../javascript/src/index.ts'
import { accountsNamed } from '../accounts.ts'
import type { Cli } from '../cli.ts'
import { newText } from '../edit.ts'
import { addGroup, addList } from '../group.ts'
import { limitOption, listOption } from '../options.ts'
import { openWorkspace } from '../session.ts'
import { cut } from '../table.ts'
import { clockTime, zoneOf } from '../time.ts'

type Draft = Awaited<ReturnType<Client['drafts']['list']>>['items'][number]

const list = async (cli: Cli, { limit }: { limit: number }): Promise<void> => {
  const { out, stopped: signal } = cli
  const { client } = await openWorkspace(cli)
  const drafts: Draft[] = []
  for await (const draft of client.drafts.list.all({ limit: Math.min(limit, 200) }, { signal })) {
    drafts.push(draft)
    if (drafts.length === limit) break
  }
  out.result(drafts, () =>
    out.table<Draft>(
      {
        ID: ({ id }) => id,
        NAME: ({ name }) => cut(name ?? '', 30),
        CHANGED: ({ updatedAt }) => clockTime(updatedAt, zoneOf(undefined)).slice(0, 16),
        TEXT: ({ content }) => cut(content, 60),
      },
      drafts,
    ),
  )
}

const get = async (cli: Cli, id: string): Promise<void> => {
  const { client } = await openWorkspace(cli)
  const draft = await client.drafts.get(id, { signal: cli.stopped })
  cli.out.result(draft, () => cli.out.line(draft.content))
}

interface TextOptions {
  content?: string
  file?: string
}

const create = async (
  cli: Cli,
  text: string | undefined,
  options: TextOptions & { name?: string; account?: string[] },
) => {
  const { out, stopped: signal } = cli
  const content = await newText(cli, '', text === undefined ? options : { ...options, content: text })
  const { client } = await openWorkspace(cli)
  const accounts =
    options.account === undefined
      ? []
      : accountsNamed(await client.socialAccounts.list({}, { signal }), options.account)
  const body = {
    content,
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(accounts.length === 0 ? {} : { socialAccountIds: accounts.map(({ id }) => id) }),
  }
  const draft = await client.drafts.create(body, { signal })
  out.result(draft, () => out.line(`Created ${draft.id}.`))
}

const edit = async (cli: Cli, id: string, options: TextOptions): Promise<void> => {
  const { out, stopped: signal } = cli
  const { client } = await openWorkspace(cli)
  const { data: before, etag } = await client.drafts.get(id, { signal }).withResponse()
  const content = await newText(cli, before.content, options)
  if (content === before.content)
    return out.result(before, () => out.line('The text is the same. Nothing was changed.'))
  const draft = await client.drafts.update(id, { content }, { signal, ifMatch: etag ?? undefined })
  out.result(draft, () => out.line(`Changed ${id}, version ${draft.version}.`))
}

const remove = async (cli: Cli, id: string): Promise<void> => {
  const { client } = await openWorkspace(cli)
  const deleted = await client.drafts.delete(id, { signal: cli.stopped })
  cli.out.result(deleted, () => cli.out.line(`Deleted ${id}.`))
}

export const addDrafts = (program: Command, cli: Cli): void => {
  const group = addGroup(program, 'drafts', 'list, write, and delete drafts', [
    'social drafts create "An idea" --name Launch',
    'social drafts edit drf_01K9ZJ3V6Q8N5W2R7T4Y0X1C3B',
    'social drafts get drf_01K9ZJ3V6Q8N5W2R7T4Y0X1C3B | social post --account x',
  ])
  addList(group, 'list drafts, the newest first')
    .addOption(limitOption(50))
    .action((options: { limit: number }) => list(cli, options))
  group
    .command('get')
    .description('Prints the text of a draft.')
    .argument('<id>', 'ID of the draft')
    .action((id: string) => get(cli, id))
  group
    .command('create')
    .description('Creates a draft, by default with the text of your editor.')
    .argument('[text]', 'the text in quotes')
    .option('-f, --file <path>', 'read the text; "-" for stdin')
    .option('--name <name>', 'a name for your list')
    .addOption(listOption('-a, --account <names>', 'accounts that the post is meant for'))
    .action((text: string | undefined, options: TextOptions & { name?: string; account?: string[] }) =>
      create(cli, text, options),
    )
  group
    .command('edit')
    .description('Changes the text of a draft, by default in your editor.')
    .argument('<id>', 'ID of the draft')
    .option('--content <text>', 'the new text')
    .option('-f, --file <path>', 'read the new text; "-" for stdin')
    .action((id: string, options: TextOptions) => edit(cli, id, options))
  group
    .command('delete')
    .description('Deletes a draft.')
    .argument('<id>', 'ID of the draft')
    .action((id: string) => remove(cli, id))
}
