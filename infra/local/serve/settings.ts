import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import * as z from 'zod/mini'
import { isLoopback } from '../../../shared/oauth/client.ts'
import { AppSecret } from '../../../shared/platforms/app-secret.ts'
import { definitions } from '../../../shared/platforms/definitions.ts'
import { maxBackups } from '../backup/folder.ts'
import { reasonOf } from '../stop.ts'

/** One sentence for each setting that is missing or wrong. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

const port = z.int().check(z.minimum(1), z.maximum(65_535))
/** Without a path: pages and media are at fixed ones. */
const origin = z.url({ protocol: /^https?$/ }).check(z.refine((text) => URL.parse(text)?.origin === text))

/** Platforms whose accounts are connected through an app that the operator registers there. */
export const appPlatforms = definitions
  .filter(({ connect, server }) => connect === 'oauth' && server === undefined)
  .map(({ id }) => id)

/** Platforms that fetch media from us, or demand HTTPS of redirect URLs (their documents, read 2026-11-28). */
const needHttps = ['threads', 'instagram', 'tiktok', 'facebook', 'pinterest', 'slack']

const Settings = z.strictObject({
  /** Who signs in first. */
  owner: z.email(),
  /** The folder of everything that the service remembers. */
  state: z.string().check(z.minLength(1)),
  port,
  /** The address to listen at. */
  listenAddress: z.union([z.ipv4(), z.ipv6()]),
  /** Of metrics and readiness; without it, there are none. */
  metricsPort: z.optional(port),
  baseUrl: origin,
  mediaUrl: origin,
  /** Proxies whose `X-Forwarded-For` names the client: addresses, and ranges of them. */
  trustedProxies: z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])),
  /** The sender of emails. */
  mailFrom: z.email(),
  /** Where emails are sent; without it, they are printed. */
  smtpUrl: z.optional(z.url({ protocol: /^smtps?$/ })),
  /** The file of the key that encrypts credentials. It is made at the first start. */
  keyFile: z.string().check(z.minLength(1)),
  /** The folder of backups; without it, there are none. */
  backupFolder: z.optional(z.string().check(z.minLength(1))),
  backupHours: z.number().check(z.minimum(1), z.maximum(8760)),
  /** How many backups stay. */
  maxBackups: z.int().check(z.minimum(1)),
  /** Servers in one's own network that webhooks, and accounts with a server of their own, may be at. */
  allowedOrigins: z.array(origin),
  apps: z.partialRecord(z.enum(appPlatforms as [string, ...string[]]), AppSecret),
})
export type Settings = z.infer<typeof Settings>
type Name = keyof Settings

const names = Object.keys(Settings.shape) as Name[]

/** What each setting takes, as the end of a sentence. */
const allowed: Readonly<Record<Name, string>> = {
  owner: 'the email address of the person who signs in first',
  state: 'the path of a folder',
  port: 'a number from 1 to 65535',
  listenAddress: 'an IP address of this machine, or "0.0.0.0" for all of them',
  metricsPort: 'a number from 1 to 65535',
  baseUrl: 'an origin such as "https://social.example.com", without a path',
  mediaUrl: 'an origin such as "https://media.example.com", without a path',
  trustedProxies: 'a list of addresses and ranges such as ["10.0.0.0/8"], or in the variable with commas between them',
  mailFrom: 'an email address',
  smtpUrl: 'a URL such as "smtps://user:password@mail.example.com:465"',
  keyFile: 'the path of a file',
  backupFolder: 'the path of a folder',
  backupHours: 'the hours between two backups, from 1 to 8760',
  maxBackups: 'how many backups stay, at least 1',
  allowedOrigins: 'a list of origins such as ["https://blog.lan"], or in the variable with commas between them',
  apps: `an object by platform (${appPlatforms.join(', ')}) of {"clientId":"…","clientSecret":"…"}`,
}

const variableOf = (name: string): string => name.replace(/[A-Z]/g, '_$&').toUpperCase()

/** Values that documents use, or that nobody has filled in. */
const example = /^(?:<.*>|…+|\.{3,}|x{3,}|todo|change-?me|secret|password|(?:your|my)[-_ ].*|.*[-_ ](?:here|example))$/i

const textsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [String(value)]

/** Platforms that no one can connect, because the settings have no app for them. */
export const platformsWithoutApp = ({ apps }: Pick<Settings, 'apps'>) => appPlatforms.filter((id) => !(id in apps))

/** The sentence about a mistake shows what is no number as it was given. */
const toNumber = (text: string): unknown => (Number.isNaN(Number(text)) ? text : Number(text))

const listIn = (text: string): string[] => text.split(',').map((part) => part.trim())

/** Settings that are no text. */
const parseText: Partial<Record<Name, (text: string) => unknown>> = {
  port: toNumber,
  metricsPort: toNumber,
  backupHours: toNumber,
  maxBackups: toNumber,
  trustedProxies: listIn,
  allowedOrigins: listIn,
}

interface Sources {
  /** The file of settings; it may be missing unless it was named. */
  file: string
  isNamed: boolean
  environment: Readonly<Record<string, string | undefined>>
}

const readFile = ({ file, isNamed }: Sources): Record<string, unknown> => {
  if (!existsSync(file)) {
    if (isNamed) throw new SettingsError(`The file ${file} does not exist.`)
    return {}
  }
  let read: unknown
  try {
    read = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new SettingsError(`${file} is not JSON: ${reasonOf(error)}.`)
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw new SettingsError(`${file} must have one object with the settings.`)
  const isSecret = 'apps' in read || 'smtpUrl' in read
  if (isSecret && (statSync(file).mode & 0o077) !== 0)
    throw new SettingsError(`${file} has secrets, and other people of this machine can read it: chmod 600 ${file}.`)
  return { ...read }
}

/** The value of a variable, or of the file that `<variable>_FILE` names. */
const fromEnvironment = ({ environment }: Sources, variable: string, faults: string[]): string | undefined => {
  const path = environment[`${variable}_FILE`]
  if (!path) return environment[variable] || undefined
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    faults.push(`${variable}_FILE cannot be read: ${reasonOf(error)}.`)
    return undefined
  }
}

const appsIn = (sources: Sources, faults: string[]): Record<string, Record<string, string>> => {
  const fields = Object.keys(AppSecret.shape)
  const apps = appPlatforms.map((id) => {
    const given = fields.map(
      (field) => [field, fromEnvironment(sources, variableOf(`${id}_${field}`), faults)] as const,
    )
    return [id, Object.fromEntries(given.filter((pair): pair is [string, string] => pair[1] !== undefined))] as const
  })
  return Object.fromEntries(apps.filter(([, app]) => Object.keys(app).length > 0))
}

const withDefaults = (given: Record<string, unknown>, file: string): Record<string, unknown> => {
  const folder = dirname(file)
  const path = (name: string, usual: string) =>
    typeof given[name] === 'string' ? resolve(folder, given[name]) : (given[name] ?? resolve(folder, usual))
  const port = given['port'] ?? 3000
  const baseUrl = given['baseUrl'] ?? `http://127.0.0.1:${port}`
  return {
    port,
    listenAddress: '127.0.0.1',
    baseUrl,
    mediaUrl: baseUrl,
    // Who comes by a name comes through the proxy on this machine that has its certificate.
    trustedProxies: !URL.canParse(String(baseUrl)) || isLoopback(String(baseUrl)) ? [] : ['127.0.0.1', '::1'],
    mailFrom: given['owner'],
    allowedOrigins: [],
    apps: {},
    backupHours: 24,
    maxBackups,
    ...given,
    ...(given['backupFolder'] === undefined ? {} : { backupFolder: path('backupFolder', '') }),
    state: path('state', '.serve'),
    keyFile: path('keyFile', '.serve.key'),
  }
}

/**
 * The settings of `serve.json` and of the environment, which wins; paths are relative to the file. Throws a SettingsError
 * with one sentence for each mistake.
 */
export const readSettings = (sources: Sources): Settings => {
  const faults: string[] = []
  const inFile = readFile(sources)
  for (const name of Object.keys(inFile).filter((known) => !names.includes(known as Name)))
    faults.push(`"${name}" is no setting. Settings: ${names.join(', ')}.`)
  const given: Record<string, unknown> = Object.fromEntries(
    Object.entries(inFile).filter(([name]) => names.includes(name as Name)),
  )
  for (const name of names.filter((known) => known !== 'apps')) {
    const text = fromEnvironment(sources, variableOf(name), faults)
    if (text !== undefined) given[name] = parseText[name]?.(text) ?? text
  }
  const apps = appsIn(sources, faults)
  if (Object.keys(apps).length > 0) given['apps'] = { ...(given['apps'] as object | undefined), ...apps }
  const { data, error } = z.safeParse(Settings, withDefaults(given, sources.file))
  const wrong = new Set(error?.issues.map(({ path }) => path.map(String)[0] as Name))
  // It is the owner's by default.
  if (given['mailFrom'] === undefined) wrong.delete('mailFrom')
  for (const name of wrong) {
    const value = given[name]
    const is =
      value === undefined
        ? 'is not set'
        : name === 'apps' || name === 'smtpUrl'
          ? 'is wrong'
          : `is ${JSON.stringify(value)}`
    faults.push(`"${name}" ${is}. Set "${name}" in ${sources.file}, or ${variableOf(name)}, to ${allowed[name]}.`)
  }
  const isPublic = [data?.baseUrl, data?.mediaUrl].every((url) => url?.startsWith('https:'))
  const blocked = Object.keys(data?.apps ?? {}).filter((id) => needHttps.includes(id))
  if (data !== undefined && !isPublic && blocked.length > 0)
    faults.push(
      `"apps" has ${blocked.join(', ')}, which need HTTPS: set "baseUrl" to the https origin of a proxy, or remove the apps.`,
    )
  for (const [id, app] of Object.entries(data?.apps ?? {}))
    if (textsIn(app).some((text) => example.test(text)))
      faults.push(`The app of ${id} has an example value. Use the values that ${id} shows for your app.`)
  if (faults.length > 0 || data === undefined) throw new SettingsError(faults.join('\n'))
  return data
}
