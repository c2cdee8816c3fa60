import { createInterface } from 'node:readline/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Argument, type Command } from 'commander'
import { platformIds } from '../../../../../shared/resources.ts'
import type { Client } from '../../../javascript/src/index.ts'
import { type Account, accountName, accountNamed, shownName } from '../accounts.ts'
import { openBrowser } from '../browser.ts'
import { type Cli, isInteractive } from '../cli.ts'
import { Usage } from '../errors.ts'
import { addGroup, addList } from '../group.ts'
import { openWorkspace } from '../session.ts'

const show = ({ out }: Cli, accounts: readonly Account[]) =>
  out.table<Account>(
    {
      ACCOUNT: (account) => shownName(account, accounts),
      NAME: ({ displayName }) => displayName ?? '',
      STATE: ({ isConnected, needsReconnect }) => {
        if (needsReconnect) return 'connect again'
        return isConnected ? 'connected' : 'disconnected'
      },
      ID: ({ id }) => id,
    },
    accounts,
  )

const list = async (cli: Cli): Promise<void> => {
  const { client } = await openWorkspace(cli)
  const accounts = await client.socialAccounts.list({}, { signal: cli.stopped })
  cli.out.result(accounts, () => show(cli, accounts))
}

/** The platforms whose links come from a separate operation. */
const ownLinks = {
  bluesky: ({ socialAccounts }: Client, signal: AbortSignal) => socialAccounts.createBlueskyLink({}, { signal }),
  wordpress: ({ socialAccounts }: Client, signal: AbortSignal) => socialAccounts.createWordpressLink({}, { signal }),
  nostr: ({ socialAccounts }: Client, signal: AbortSignal) => socialAccounts.createNostrLink({}, { signal }),
}

type OwnLink = keyof typeof ownLinks
type Platform = Parameters<Client['socialAccounts']['connect']>[0] | OwnLink

const hasOwnLink = (platform: Platform): platform is OwnLink => Object.hasOwn(ownLinks, platform)

const linkTo = async (
  client: Client,
  platform: Platform,
  server: string | undefined,
  signal: AbortSignal,
): Promise<string> => {
  const { authorizeUrl } = hasOwnLink(platform)
    ? await ownLinks[platform](client, signal)
    : await client.socialAccounts.connect(platform, server === undefined ? {} : { server }, { signal })
  return authorizeUrl
}

/** A link works for ten minutes. */
const linkMs = 600_000
const everyMs = 3_000

interface ConnectOptions {
  wait: boolean
  server?: string
}

const connect = async (cli: Cli, platform: Platform, { wait, server }: ConnectOptions): Promise<void> => {
  const { out, env, stopped } = cli
  const { client } = await openWorkspace(cli)
  const accounts = () => client.socialAccounts.list({}, { signal: stopped })
  const usable = new Set((await accounts()).filter(({ isConnected }) => isConnected).map(({ id }) => id))
  const authorizeUrl = await linkTo(client, platform, server, stopped)
  if (!wait) return out.result({ authorizeUrl }, () => out.line(authorizeUrl))
  out.note(`Open this address, which works for ten minutes:\n${authorizeUrl}`)
  if (isInteractive() && (await openBrowser(authorizeUrl, env))) out.note('It is open in your browser.')
  out.note('Waiting for the account. Ctrl-C ends the wait, not the connection.')
  for (const endsAt = Date.now() + linkMs; Date.now() < endsAt; ) {
    await sleep(everyMs, undefined, { signal: stopped })
    const connected = (await accounts()).filter(
      ({ id, providerId, isConnected }) => providerId === platform && isConnected && !usable.has(id),
    )
    if (connected.length > 0)
      return out.result(connected, () => out.line(`Connected: ${connected.map(accountName).join(', ')}`))
  }
  throw new Error('No account was connected in ten minutes. An account that was connected already is not noticed.')
}

/** Asks on a terminal; elsewhere `--yes` is needed. */
const confirm = async (question: string, isSure: boolean, stopped: AbortSignal): Promise<void> => {
  if (isSure) return
  if (!isInteractive()) throw new Usage('Add --yes: there is no terminal to ask in.')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal: stopped })
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new Usage('Nothing was changed.')
  } finally {
    terminal.close()
  }
}

const disconnect = async (cli: Cli, given: string, { yes = false }: { yes?: boolean }): Promise<void> => {
  const { out, stopped } = cli
  const { client } = await openWorkspace(cli)
  const account = accountNamed(await client.socialAccounts.list({}, { signal: stopped }), given)
  await confirm(`Disconnect ${accountName(account)}? Its scheduled posts will fail.`, yes, stopped)
  const done = await client.socialAccounts.disconnect(account.id, { signal: stopped })
  out.result(done, () => out.line(`Disconnected ${accountName(account)}.`))
}

export const addAccounts = (program: Command, cli: Cli): void => {
  const group = addGroup(program, 'accounts', 'list, connect, and disconnect accounts', [
    'social accounts',
    'social accounts connect linkedin',
    'social accounts disconnect bluesky:ann.bsky.social',
  ])
  addList(group, 'list the accounts of the workspace').action(() => list(cli))
  group
    .command('connect')
    .description('Opens the page that connects an account, and waits for it.')
    .addArgument(new Argument('<platform>', 'platform of the account').choices(platformIds))
    .option('--server <server>', 'server of a Mastodon account; by default, the page asks for it')
    .option('--no-wait', 'print the address, and do not wait')
    .action((platform: Platform, options: ConnectOptions) => connect(cli, platform, options))
  group
    .command('disconnect')
    .description('Disconnects an account. Its scheduled posts fail unless it is connected again.')
    .argument('<account>', 'its ID, name, or platform:name')
    .option('-y, --yes', 'do not ask')
    .action((given: string, options: { yes?: boolean }) => disconnect(cli, given, options))
}
