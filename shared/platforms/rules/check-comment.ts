import { isBlank } from '../../text/written.ts'
import type { CheckedPost, Finding, PlatformDefinition } from '../definition.ts'
import { isFarTooLong, measuresFor, tooLong } from './check-post.ts'
import { matches } from './media.ts'

/** Why a post cannot have a first comment at all; undefined if it can. */
export const refusesComment = ({ name, comment }: PlatformDefinition, metadata: unknown): string | undefined =>
  comment === undefined
    ? `${name} takes no comments by its API.`
    : comment.except?.find((exception) => matches(exception, metadata))?.says

/** The text of a first comment against the limits of its platform; one that is a post also against what reads its text. */
export const checkComment = (
  definition: PlatformDefinition,
  account: Pick<CheckedPost, 'socialAccountId' | 'tier'>,
  text: string,
): Finding[] => {
  if (isBlank(text)) return [{ code: 'content_empty', message: 'the first comment is empty', next: 'Write a text.' }]
  const { rules, comment: { measures } = {} } = definition
  const lengths = (measures ?? measuresFor(definition, account.tier)).map((measure) => ({
    ...measure,
    used: measure.count(text),
  }))
  const others = measures !== undefined || isFarTooLong(lengths) ? [] : (rules.others ?? [])
  const post = { ...account, content: text, text, metadata: undefined, media: [] }
  return [
    ...tooLong(lengths, 'the first comment'),
    ...others.filter(({ readsText }) => readsText).flatMap(({ check }) => check(post)),
  ]
}
