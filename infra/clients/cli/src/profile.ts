import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Usage } from './errors.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** A profile of a signed-in person. */
export interface Profile {
  baseUrl: string
  token: string
  workspaceId?: string
  workspaceName?: string
  email?: string
}

export interface Config {
  /** The profile that is used if none is named. */
  current: string
  profiles: Record<string, Profile>
}

const isWindows = process.platform === 'win32'

/** The folder of the configuration (XDG Base Directory Specification). */
export const configFolder = (env: Environment): string => {
  const { XDG_CONFIG_HOME: xdg, APPDATA: roaming } = env
  if (isWindows && roaming) return join(roaming, 'social')
  return join(xdg?.startsWith('/') ? xdg : join(env['HOME'] || homedir(), '.config'), 'social')
}

const configFile = (env: Environment) => join(configFolder(env), 'config.json')

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** It contains tokens: only the owner can read the folder and the file. */
const protect = (path: string, mode: number, note: (text: string) => void): void => {
  if (isWindows) return
  const { mode: actual, uid } = statSync(path)
  if (process.getuid && process.getuid() !== 0 && uid !== process.getuid()) {
    throw new Usage(`${path} belongs to another user, so it is not read. Set XDG_CONFIG_HOME to your own folder.`)
  }
  if ((actual & 0o077) === 0) return
  chmodSync(path, mode)
  note(`${path} could be read by others. Its permissions are fixed; sign in again if someone may have read it.`)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isProfile = (value: unknown): value is Profile =>
  isRecord(value) && typeof value['baseUrl'] === 'string' && typeof value['token'] === 'string'

const isConfig = (value: unknown): value is Config =>
  isRecord(value) &&
  typeof value['current'] === 'string' &&
  isRecord(value['profiles']) &&
  Object.values(value['profiles']).every(isProfile)

/** Reads all profiles; none if no one has signed in yet. */
export const readConfig = (env: Environment, note: (text: string) => void): Config => {
  const path = configFile(env)
  try {
    protect(dirname(path), 0o700, note)
    protect(path, 0o600, note)
    const config: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (isConfig(config)) return config
  } catch (error) {
    if (isMissing(error)) return { current: 'default', profiles: {} }
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new Usage(`${path} is damaged. Delete it, and sign in again with "social login".`)
}

/** The target of a symbolic link that stands for the file. */
const target = (path: string) => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Replaces the file atomically: a crash leaves the old one or the new one. */
export const writePrivate = (path: string, text: string): void => {
  const file = target(path)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}.new`
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

export const writeConfig = (env: Environment, config: Config): void =>
  writePrivate(configFile(env), `${JSON.stringify(config, undefined, 2)}\n`)

/** The name of the profile that a command uses. */
export const profileName = (option: string | undefined, env: Environment, config: Config): string => {
  const name = option ?? (env['SOCIAL_PROFILE'] || config.current)
  if (!/^[\w.-]{1,40}$/.test(name) || name === '__proto__') {
    throw new Usage(`"${name}" is not a name for a profile. Use up to 40 letters, digits, ".", "-", and "_".`)
  }
  return name
}

export const profileNamed = (config: Config, name: string): Profile | undefined =>
  Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined
