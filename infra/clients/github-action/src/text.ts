import type { Client } from '../../javascript/src/index.ts'
import { type Account, accountName } from './accounts.ts'
import { type Inputs, WrongInput } from './inputs.ts'
import type { Release } from './release.ts'

type Platform = Account['providerId']

/** The text for each platform. */
export type Texts = Partial<Record<Platform, string>>

const placeholders = ['name', 'tag', 'url', 'body'] as const

/** Fills the template in one pass: braces in the notes of a release are text. */
const fill = (template: string, release: Release): string =>
  template
    .replaceAll(/\{(\w+)\}/g, (written, word) => {
      const name = placeholders.find((each) => each === word)
      if (name !== undefined) return release[name]
      throw new WrongInput(`text has ${written}. Use {name}, {tag}, {url}, and {body}.`)
    })
    .trim()

/** The posts are not accepted. One message for each reason. */
export class NotValid extends Error {
  override readonly name = 'NotValid'
  readonly reasons: readonly string[]
  constructor(reasons: readonly string[]) {
    super(`Nothing was published: ${reasons[0]}`)
    this.reasons = reasons
  }
}

export interface Writing {
  client: Client
  accounts: readonly Account[]
  inputs: Pick<Inputs, 'template' | 'metadata' | 'shortensBody'>
  release: Release
}

/** What the service finds in the posts. It stores nothing of them. */
const findIssues = async ({ client, accounts, inputs: { metadata } }: Writing, texts: Texts) => {
  const body = { socialAccountIds: accounts.map(({ id }) => id), content: '', platformContent: texts }
  return (await client.posts.validate({ ...body, ...(metadata === undefined ? {} : { metadata }) })).issues
}

type Issues = Awaited<ReturnType<typeof findIssues>>

const assertValid = (issues: Issues, accounts: readonly Account[]): void => {
  if (issues.length === 0) return
  const nameOf = (id: string | null) =>
    accounts.filter((each) => each.id === id).map((each) => `${accountName(each)}: `)
  throw new NotValid(
    issues.map(({ socialAccountId, message, next = '' }) => `${nameOf(socialAccountId)}${message} ${next}`.trim()),
  )
}

const allOf = (accounts: readonly Account[], textOf: (platform: Platform) => string): Texts =>
  Object.fromEntries(accounts.map(({ providerId }) => [providerId, textOf(providerId)]))

const wholeTexts = ({ accounts, inputs: { template }, release }: Writing): Texts =>
  allOf(accounts, () => fill(template, release))

/**
 * The texts with as much of the notes as each platform accepts. The platform's rule defines how a text is counted, so the
 * service is asked: about all platforms in one request, which is repeated about a dozen times.
 */
const shortenedTexts = async (writing: Writing): Promise<Texts> => {
  const { accounts, inputs, release } = writing
  const characters = [...new Intl.Segmenter().segment(release.body.trim())].map(({ segment }) => segment)
  const cut = (count: number) => {
    const body = characters.slice(0, count).join('').trimEnd()
    return fill(inputs.template, { ...release, body: count === 0 || count === characters.length ? body : `${body}…` })
  }
  const platforms = [...new Set(accounts.map(({ providerId }) => providerId))]
  /** How many characters fit, and how many do not. */
  const bounds = new Map(platforms.map((platform) => [platform, { fits: 0, tooLong: characters.length + 1 }]))
  const boundsOf = (platform: Platform) => bounds.get(platform) ?? { fits: 0, tooLong: 1 }
  const between = (platform: Platform) => {
    const { fits, tooLong } = boundsOf(platform)
    return fits + Math.floor((tooLong - fits) / 2)
  }
  // Most notes fit as a whole.
  for (let next = (_: Platform) => characters.length; ; next = between) {
    const tried = new Map(platforms.map((platform) => [platform, next(platform)]))
    const issues = await findIssues(
      writing,
      allOf(accounts, (platform) => cut(tried.get(platform) ?? 0)),
    )
    for (const platform of platforms) {
      const isTooLong = issues.some((issue) => issue.platform === platform && issue.code === 'content_length')
      boundsOf(platform)[isTooLong ? 'tooLong' : 'fits'] = tried.get(platform) ?? 0
    }
    if (platforms.every((platform) => boundsOf(platform).tooLong - boundsOf(platform).fits <= 1)) break
  }
  return allOf(accounts, (platform) => cut(boundsOf(platform).fits))
}

/** The text for each platform; throws a NotValid if the service does not accept one of the posts. */
export const writeTexts = async (writing: Writing): Promise<Texts> => {
  const { template, shortensBody } = writing.inputs
  const texts = shortensBody && template.includes('{body}') ? await shortenedTexts(writing) : wholeTexts(writing)
  assertValid(await findIssues(writing, texts), writing.accounts)
  return texts
}
