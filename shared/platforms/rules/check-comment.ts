import type { CheckedPost, Finding, PlatformDefinition } from '../definition.ts'
import { measuresFor, tooLong } from './check-post.ts'
import { matches } from './media.ts'

/** What keeps a post from having a first comment at all; undefined if nothing does. */
export const refusesComment = ({ name, comment }: PlatformDefinition, metadata: unknown): string | undefined =>
  comment === undefined
    ? `${name} takes no comments by its API.`
    : comment.except?.find((exception) => matches(exception, metadata))?.says

/** The text of a first comment against the limits of its platform. */
export const checkComment = (
  definition: PlatformDefinition,
  { tier }: Pick<CheckedPost, 'tier'>,
  text: string,
): Finding[] => {
  if (text.trim() === '')
    return [{ code: 'content_empty', message: 'the first comment is empty', next: 'Write a text.' }]
  const measures = definition.comment?.measures ?? measuresFor(definition, tier)
  const lengths = measures.map((measure) => ({ ...measure, used: measure.count(text) }))
  return tooLong(lengths, 'the first comment')
}
