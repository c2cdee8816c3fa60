import * as core from '@actions/core'

export interface Inputs {
  baseUrl: string
  token: string
  workspaceId: string
  /** What names the accounts, as written. */
  accounts: readonly string[]
  template: string
  shortensBody: boolean
  /** By platform, in the format of the API. */
  metadata: Readonly<Record<string, unknown>> | undefined
  /** Undefined: now. */
  scheduledAt: string | undefined
  isDryRun: boolean
  waitSeconds: number
  /** Undefined: the release of the event. */
  tag: string | undefined
  githubToken: string
  postKey: string
}

/** An input, or what the runner passes, is wrong. The message names it and explains the correction. */
export class WrongInput extends Error {
  override readonly name = 'WrongInput'
}

const loopback = ['127.0.0.1', 'localhost', '[::1]']

/** The token travels encrypted, except to a service on the same machine. */
const readAddress = (text: string): string => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new WrongInput(`base-url is "${text}", not the address of a service, such as https://api.example.com.`)
  }
  if (url.protocol === 'http:' && !loopback.includes(url.hostname)) {
    throw new WrongInput('base-url must use https: the token must not travel unencrypted.')
  }
  return text
}

const longestWaitSeconds = 3600

const readWait = (text: string, scheduledAt: string | undefined): number => {
  if (text === '') return scheduledAt === undefined ? 120 : 0
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (seconds <= longestWaitSeconds) return seconds
  throw new WrongInput(`wait is "${text}". Use whole seconds, from 0 to ${longestWaitSeconds}.`)
}

const readMetadata = (text: string): Readonly<Record<string, unknown>> | undefined => {
  if (text === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // The sentence below is for this as well.
  }
  throw new WrongInput('metadata is not a JSON object by platform, such as {"slack":{"channelId":"C0123"}}.')
}

const required = (name: string) => core.getInput(name, { required: true })

/** Reads the inputs of the step, and hides the tokens in its log. */
export const readInputs = (): Inputs => {
  const token = required('token')
  core.setSecret(token)
  const githubToken = core.getInput('github-token')
  if (githubToken) core.setSecret(githubToken)
  const scheduledAt = core.getInput('scheduled-at') || undefined
  const postKey = core.getInput('post-key')
  if (!/^[\w.-]{0,30}$/.test(postKey)) {
    throw new WrongInput(`post-key is "${postKey}". Use up to 30 letters, digits, dots, dashes, and underscores.`)
  }
  const accounts = required('accounts')
    .split(/[,\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== '')
  return {
    baseUrl: readAddress(required('base-url')),
    workspaceId: required('workspace-id'),
    template: required('text'),
    shortensBody: core.getBooleanInput('shorten-body'),
    metadata: readMetadata(core.getInput('metadata')),
    isDryRun: core.getBooleanInput('dry-run'),
    waitSeconds: readWait(core.getInput('wait'), scheduledAt),
    tag: core.getInput('tag') || undefined,
    token,
    githubToken,
    scheduledAt,
    postKey,
    accounts,
  }
}
