import { version } from '../../../../shared/version.ts'
import { type Client, type ClientOptions, createClient } from '../../javascript/src/index.ts'
import { isLocal } from '../../listen/target.ts'
import type { Cli } from './cli.ts'
import { NotSignedIn, Usage } from './errors.ts'
import { profileName, profileNamed, readConfig } from './profile.ts'

/** The service and the credentials of a command. */
export interface Session {
  client: Client
  baseUrl: string
  token: string
  /** The workspace of the option, the environment, or the profile: an ID or a name. */
  workspace: string | undefined
  /** The profile that the token is from; undefined for one of the environment. */
  profile: string | undefined
}

/** The address of a service without a slash at its end. A token travels encrypted, except on this machine. */
export const readAddress = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new Usage(`"${text}" is not the address of a service, such as https://api.example.com.`)
  }
  if (url.protocol === 'http:' && !isLocal(text)) {
    throw new Usage(`"${text}" must use https: the token must not travel unencrypted.`)
  }
  return text.replace(/\/+$/, '')
}

/** A token as sent in a header; anything else is rejected without being shown. */
export const readToken = (text: string): string => {
  const token = text.trim()
  if (/^svc_(?:pat|ses)_\w{10,200}$/.test(token)) return token
  throw new NotSignedIn('This is not a token of the service: tokens begin with svc_pat_ or svc_ses_.')
}

/** How every command sends its requests. */
export const clientOptions = (baseUrl: string, token?: string, maxRetries = 3): ClientOptions => ({
  baseUrl,
  token,
  headers: { 'User-Agent': `social-cli/${version}` },
  // The command waits for a rate limit: in a terminal a late result is better than none.
  retries: { maxRetries, maxRetryAfterMs: 120_000 },
})

export const makeClient = (baseUrl: string, token?: string, maxRetries?: number): Client =>
  createClient(clientOptions(baseUrl, token, maxRetries))

const signIn = 'Sign in with "social login <address>", or set SOCIAL_BASE_URL and SOCIAL_TOKEN.'

/** The session of a command: the environment comes first, then the profile. */
export const openSession = ({ env, globals, out }: Cli, maxRetries?: number): Session => {
  const options = globals()
  const config = readConfig(env, out.note)
  const name = profileName(options.profile, env, config)
  const profile = profileNamed(config, name)
  const address = env['SOCIAL_BASE_URL'] ? readAddress(env['SOCIAL_BASE_URL']) : undefined
  const own = env['SOCIAL_TOKEN'] ? readToken(env['SOCIAL_TOKEN']) : undefined
  if (own !== undefined) {
    const baseUrl = address ?? profile?.baseUrl
    if (baseUrl === undefined)
      throw new Usage('SOCIAL_TOKEN is set. Set SOCIAL_BASE_URL to the address of its service.')
    const workspace = options.workspace ?? (env['SOCIAL_WORKSPACE'] || undefined)
    return { client: makeClient(baseUrl, own, maxRetries), baseUrl, token: own, workspace, profile: undefined }
  }
  if (profile === undefined) {
    const known = Object.keys(config.profiles)
    if (options.profile !== undefined && known.length > 0) {
      throw new NotSignedIn(`There is no profile "${name}". The profiles are ${known.join(', ')}. ${signIn}`)
    }
    throw new NotSignedIn(`You are not signed in. ${signIn}`)
  }
  // The token of one service is never sent to another one.
  if (address !== undefined && address !== profile.baseUrl) {
    throw new Usage(
      `SOCIAL_BASE_URL is ${address}, but the profile "${name}" is signed in at ${profile.baseUrl}. Set SOCIAL_TOKEN as well.`,
    )
  }
  const { baseUrl, token } = profile
  const workspace = options.workspace ?? (env['SOCIAL_WORKSPACE'] || profile.workspaceId)
  return { client: makeClient(baseUrl, token, maxRetries), baseUrl, token, workspace, profile: name }
}

export type Workspace = Awaited<ReturnType<Client['workspaces']['list']>>[number]

/** The workspace with an ID, a slug, or a name. */
export const workspaceNamed = (workspaces: readonly Workspace[], given: string): Workspace => {
  const matching = workspaces.filter(({ id, slug, name }) => [id, slug, name].includes(given))
  if (matching.length === 1 && matching[0]) return matching[0]
  if (matching.length > 1) throw new Usage(`${matching.length} workspaces are named "${given}". Use the ID of one.`)
  const names = workspaces.map(({ slug }) => slug).join(', ')
  throw new Usage(`You have no workspace "${given}". ${names ? `Yours are ${names}.` : 'Create one first.'}`)
}

export interface WorkspaceSession extends Session {
  workspaceId: string
}

/** A session in one workspace. Without a choice it is the only one of the person. */
export const openWorkspace = async (cli: Cli, maxRetries?: number): Promise<WorkspaceSession> => {
  const session = openSession(cli, maxRetries)
  const { client, workspace } = session
  const inOne = (workspaceId: string) => ({ ...session, client: client.withWorkspace(workspaceId), workspaceId })
  if (workspace?.startsWith('ws_')) return inOne(workspace)
  const workspaces = await client.workspaces.list({ signal: cli.stopped })
  if (workspace !== undefined) return inOne(workspaceNamed(workspaces, workspace).id)
  const [only, ...more] = workspaces
  if (only === undefined) throw new Usage('You have no workspace yet. Create one: social open')
  if (more.length > 0) throw new Usage('You have several workspaces. Choose one: social workspaces use <name>')
  return inOne(only.id)
}
