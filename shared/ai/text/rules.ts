import type { Issue, IssueCode } from '../../errors/issue.ts'
import { definitionFor, definitionOf, tierFor } from '../../platforms/definitions.ts'
import { checkPost, measuresFor } from '../../platforms/rules/check-post.ts'
import type { PlatformId } from '../../resources.ts'
import type { SocialAccount } from '../../social-accounts/social-account.ts'
import { codePoints } from '../../text/counting.ts'
import { type Fits, fitText } from './fit.ts'

/** The target of a text: a platform, or one account, whose details decide its limit. */
export interface Target {
  platform: PlatformId
  socialAccountId: string | null
  details?: SocialAccount['details'] | undefined
}

/** The issues that a shorter text does not have. */
const limits: ReadonlySet<IssueCode> = new Set([
  'content_length',
  'hashtag_limit',
  'link_limit',
  'cashtag_limit',
  'mention_limit',
])

/** The issues of a text without media, as `POST /api/posts/validate` reports them. */
export const issuesOf = (target: Target, content: string, metadata?: unknown): Issue[] => {
  const { socialAccountId } = target
  const post = { socialAccountId: socialAccountId ?? '', tier: tierFor(target), content, metadata, media: [] }
  return checkPost(definitionFor(target), post).map((issue) => ({ ...issue, socialAccountId }))
}

/** Whether a text is within all limits of its platform. */
export const fitsOn =
  (target: Target): Fits =>
  (text) =>
    !issuesOf(target, text).some(({ code }) => limits.has(code))

/** The limit that the model gets: the first of the platform's limits, which is the one that readers know. */
export const lengthLimitOf = (target: Target): { max: number; name: string } => {
  const definition = definitionFor(target)
  return { name: definition.name, max: measuresFor(definition, tierFor(target))[0]?.max ?? 0 }
}

/** A text without the characters that its platform accepts neither in texts nor in titles. */
export const withoutForbidden = ({ platform }: Target, text: string): string => {
  const { forbidden } = definitionOf(platform).generated ?? {}
  return forbidden === undefined ? text : text.replace(forbidden, '')
}

/**
 * The metadata that follows from a text: a title, and what belongs to it. Decided: a board, a subreddit, or a channel is
 * the choice of the author, so that the issues name it.
 */
export const metadataOf = ({ platform }: Target, content: string): Readonly<Record<string, unknown>> | undefined => {
  const { generated } = definitionOf(platform)
  if (generated === undefined) return undefined
  const [firstLine = ''] = content.split('\n')
  const title = fitText(firstLine.trim(), (text) => codePoints(text) <= generated.maxTitle)
  return generated.metadata(title, content)
}
