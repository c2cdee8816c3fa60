import type { IssueCode } from '../../errors/issue.ts'
import type { Finding, OtherRule } from '../definition.ts'
import { InstagramMetadata } from './metadata.ts'

const maxMentions = 20

/** An at sign at the start of a word, and the name of an account after it. */
const mention = /(?<![\p{L}\p{N}_.])@[\w.]+/gu

const source = 'Instagram API, IG User Media, 2026-03'

const found = (code: IssueCode, message: string, next: string): Finding[] => [{ code, message, next }]

/** What is no number of Instagram's rules. */
export const others: readonly OtherRule[] = [
  {
    says: `At most ${maxMentions} mentions of other accounts.`,
    source,
    readsText: true,
    check({ text }) {
      const used = text.match(mention)?.length ?? 0
      if (used <= maxMentions) return []
      return found('mention_limit', `${used}/${maxMentions} mentions`, `Remove ${used - maxMentions} of them.`)
    },
  },
  {
    says: 'A story cannot have collaborators.',
    source,
    check({ metadata }) {
      const { format, collaborators = [] } = InstagramMetadata.parse(metadata)
      if (format !== 'story' || collaborators.length === 0) return []
      const next = 'Leave out metadata.instagram.collaborators.'
      return found('metadata_invalid', 'a story cannot have collaborators', next)
    },
  },
  {
    says: 'thumbOffset is a moment of the reel, in milliseconds.',
    source,
    check({ metadata, media }) {
      const { format, thumbOffset } = InstagramMetadata.parse(metadata)
      const durationMs = media[0]?.durationMs
      if (format !== 'reel' || thumbOffset === undefined || durationMs === undefined) return []
      if (thumbOffset <= durationMs) return []
      const next = `metadata.instagram.thumbOffset must be at most ${durationMs} milliseconds.`
      return found('metadata_invalid', `thumbOffset is ${thumbOffset}, after the end of the video`, next)
    },
  },
]
