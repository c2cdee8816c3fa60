import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { type Client, isCode, SocialError } from '../../../javascript/src/index.ts'
import { openBrowser } from '../browser.ts'
import { type Cli, isInteractive } from '../cli.ts'
import { NotSignedIn, Usage } from '../errors.ts'
import { type Config, type Profile, profileName, profileNamed, readConfig, writeConfig } from '../profile.ts'
import { makeClient, readAddress, readToken, type Workspace, workspaceNamed } from '../session.ts'
import { readStdin } from '../text.ts'

/** How the wait grows after `slow_down`, in seconds (RFC 8628, 3.5). */
const slowerSeconds = 5

/** Shows the code, and waits until the person has entered it. */
const byDevice = async ({ out, env, stopped }: Cli, client: Client) => {
  const clientName = `Command line on ${hostname()}`.slice(0, 80)
  const started = await client.cli.startDeviceLogin({ clientName }, { signal: stopped })
  const { deviceCode, userCode, verificationUri, verificationUriComplete, expiresIn } = started
  out.note(`Your code is ${userCode}. Enter it at ${verificationUri}`)
  if (isInteractive() && (await openBrowser(verificationUriComplete, env)))
    out.note('The page is open in your browser.')
  else out.note(`Or open ${verificationUriComplete}, where it is filled in.`)
  out.note('Waiting for your approval. Ctrl-C ends it.')
  const endsAt = Date.now() + expiresIn * 1000
  for (let seconds = started.interval; Date.now() < endsAt; ) {
    await sleep(seconds * 1000, undefined, { signal: stopped })
    try {
      return await client.cli.pollDeviceLogin({ deviceCode }, { signal: stopped })
    } catch (error) {
      if (isCode(error, 'slow_down')) seconds += slowerSeconds
      else if (isCode(error, 'access_denied')) throw new NotSignedIn(error.message)
      else if (isCode(error, 'rate_limited')) seconds = Math.max(seconds, (error.retryAfterMs ?? 0) / 1000)
      // The lost response of a successful poll cannot be retrieved; the next poll reports that.
      else if (!isCode(error, 'authorization_pending', 'connection_failed', 'request_timeout')) throw error
    }
  }
  throw new NotSignedIn('The code has expired. Run "social login" again.')
}

/** The workspace of the profile: the named one, or the only one. */
const chooseWorkspace = (workspaces: readonly Workspace[], given: string | undefined) => {
  if (given !== undefined) return workspaceNamed(workspaces, given)
  return workspaces.length === 1 ? workspaces[0] : undefined
}

/** A token without `workspace:read` cannot list workspaces; it works in the one that is named. */
const workspacesOf = async (client: Client, stopped: AbortSignal): Promise<Workspace[] | undefined> => {
  try {
    return await client.workspaces.list({ signal: stopped })
  } catch (error) {
    if (error instanceof SocialError && error.status === 403) return undefined
    throw error
  }
}

/** Ends the session that a new one replaces. */
const endPrevious = async (previous: Profile | undefined): Promise<void> => {
  if (!previous?.token.startsWith('svc_ses_')) return
  const { baseUrl, token } = previous
  await makeClient(baseUrl, token)
    .auth.signOut({ maxRetries: 0, timeoutMs: 5_000 })
    .catch(() => undefined)
}

const addressIn = (text: string | undefined, { env }: Cli, profile: Profile | undefined): string => {
  const address = text ?? (env['SOCIAL_BASE_URL'] || profile?.baseUrl)
  if (address === undefined) throw new Usage('Name the address of the service: social login https://api.example.com')
  return readAddress(address)
}

const login = async (cli: Cli, text: string | undefined, { tokenStdin }: { tokenStdin?: boolean }): Promise<void> => {
  const { env, out, stopped } = cli
  const before: Config = readConfig(env, out.note)
  const name = profileName(cli.globals().profile, env, before)
  const previous = profileNamed(before, name)
  const baseUrl = addressIn(text, cli, previous)
  const signedIn = tokenStdin
    ? { token: readToken(await readStdin(out, 'the token')), user: undefined }
    : await byDevice(cli, makeClient(baseUrl))
  const { token, user } = signedIn
  const workspaces = await workspacesOf(makeClient(baseUrl, token), stopped)
  const given = cli.globals().workspace ?? (env['SOCIAL_WORKSPACE'] || undefined)
  if (workspaces === undefined && given === undefined) {
    throw new Usage('The token may not list workspaces. Name its workspace with --workspace <ID>.')
  }
  const chosen = workspaces === undefined ? undefined : chooseWorkspace(workspaces, given)
  const workspaceId = chosen?.id ?? (workspaces === undefined ? given : undefined)
  const profile: Profile = {
    baseUrl,
    token,
    ...(workspaceId === undefined ? {} : { workspaceId }),
    ...(chosen === undefined ? {} : { workspaceName: chosen.name }),
    ...(user === undefined ? {} : { email: user.email }),
  }
  // Read again: another terminal may have signed in in the meantime.
  const { profiles } = readConfig(env, out.note)
  writeConfig(env, { current: name, profiles: { ...profiles, [name]: profile } })
  if (previous?.token !== token) await endPrevious(previous)
  const { token: _secret, ...shown } = profile
  out.result({ profile: name, ...shown }, () => {
    out.line(`Signed in${user ? ` as ${user.email}` : ''} at ${baseUrl}.`)
    if (workspaceId !== undefined) out.line(`The workspace is ${chosen?.name ?? workspaceId}.`)
    else if (workspaces?.length === 0) out.line('You have no workspace yet. Create one: social open')
    else out.line('You have several workspaces. Choose one: social workspaces use <name>')
  })
}

export const addLogin = (program: Command, cli: Cli): void => {
  program
    .command('login')
    .summary('sign in with a code in the browser')
    .description('Signs in: shows a code, and waits until you enter it in the browser.\nThe session lasts 30 days.')
    .argument('[address]', 'address of the service; by default that of the profile')
    .option('--token-stdin', 'read a personal access token from stdin instead')
    .addHelpText(
      'after',
      `
Examples:
  social login https://api.example.com
  social login https://api.example.com --profile client-a
  social login https://api.example.com --token-stdin <token.txt`,
    )
    .action((address: string | undefined, options: { tokenStdin?: boolean }) => login(cli, address, options))
}
