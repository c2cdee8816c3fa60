import { readFileSync } from 'node:fs'
import { type Inputs, WrongInput } from './inputs.ts'

export interface Release {
  id: number
  /** The name; the tag if it has none. */
  name: string
  tag: string
  url: string
  /** The notes, in Markdown. */
  body: string
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const textIn = (record: Record<string, unknown>, name: string): string =>
  typeof record[name] === 'string' ? record[name] : ''

/** A release as GitHub's API and events have it. */
const readRelease = (release: unknown): Release | undefined => {
  if (!isRecord(release) || typeof release['id'] !== 'number') return undefined
  const tag = textIn(release, 'tag_name')
  if (release['draft'] === true) {
    throw new WrongInput(`The release ${tag} is a draft that only you can see. Use "types: [published]".`)
  }
  const name = textIn(release, 'name') || tag
  return { id: release['id'], name, tag, url: textIn(release, 'html_url'), body: textIn(release, 'body') }
}

/** A variable that the runner sets. */
const variable = (name: string): string => {
  const value = process.env[name]
  if (value) return value
  throw new WrongInput(`The variable ${name} is missing: this program runs as a step of GitHub Actions.`)
}

/** The repository of the workflow, `owner/name`. */
export const repository = (): string => variable('GITHUB_REPOSITORY')

const releaseOfEvent = (): Release => {
  const event: unknown = JSON.parse(readFileSync(variable('GITHUB_EVENT_PATH'), 'utf8'))
  const release = isRecord(event) ? readRelease(event['release']) : undefined
  if (release !== undefined) return release
  const name = process.env['GITHUB_EVENT_NAME'] ?? 'without a name'
  throw new WrongInput(`The event ${name} has no release. Run on "release", or set the input tag.`)
}

/** `GET /repos/{owner}/{repo}/releases/tags/{tag}` of GitHub's REST API, which finds published releases only. */
const releaseWithTag = async (tag: string, token: string): Promise<Release> => {
  const url = `${variable('GITHUB_API_URL')}/repos/${repository()}/releases/tags/${encodeURIComponent(tag)}`
  const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }
  const authorization = token ? { authorization: `Bearer ${token}` } : {}
  const answer = await fetch(url, { headers: { ...headers, ...authorization }, signal: AbortSignal.timeout(30_000) })
  if (answer.status === 404) throw new WrongInput(`${repository()} has no published release with the tag "${tag}".`)
  const release = answer.ok ? readRelease(await answer.json()) : undefined
  if (release === undefined) throw new Error(`GitHub returned ${answer.status} for the release with the tag "${tag}".`)
  return release
}

/** The release to post about. */
export const findRelease = async ({ tag, githubToken }: Inputs): Promise<Release> =>
  tag === undefined ? releaseOfEvent() : releaseWithTag(tag, githubToken)
