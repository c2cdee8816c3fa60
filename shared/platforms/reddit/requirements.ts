import type { IssueCode } from '../../errors/issue.ts'
import { codePoints } from '../../text/counting.ts'
import type { Finding } from '../definition.ts'
import { type RedditMetadata, subredditName } from './definition.ts'
import type { Requirements } from './subreddit.ts'

type Text = 'title' | 'body'

const finding = (code: IssueCode, message: string, next: string): Finding => ({ code, message, next })

const lengths = (name: Text, text: string, where: string, rules: Requirements): Finding[] => {
  const [used, min, max] = [codePoints(text), rules[`${name}_text_min_length`], rules[`${name}_text_max_length`]]
  if (min && used < min) {
    return [
      finding(
        'metadata_invalid',
        `${where} requires a ${name} of at least ${min} characters`,
        `Write ${min - used} more.`,
      ),
    ]
  }
  if (max && used > max) {
    return [
      finding(
        'metadata_invalid',
        `the ${name} has ${used}/${max} characters for ${where}`,
        `Shorten it by ${used - max}.`,
      ),
    ]
  }
  return []
}

const patternsIn = (name: Text, text: string, where: string, rules: Requirements): Finding[] => {
  const has = (word: string) => text.toLowerCase().includes(word.toLowerCase())
  const required = rules[`${name}_required_strings`] ?? []
  const banned = (rules[`${name}_blacklisted_strings`] ?? []).filter(has)
  return [
    ...(required.length > 0 && !required.some(has)
      ? [
          finding(
            'metadata_invalid',
            `${where} requires one of these in the ${name}: ${required.join(', ')}`,
            'Write one of them.',
          ),
        ]
      : []),
    ...banned.map((word) =>
      finding('metadata_invalid', `${where} does not allow "${word}" in the ${name}`, 'Leave it out.'),
    ),
  ]
}

const body = (text: string, where: string, rules: Requirements): Finding[] => {
  const policy = rules.body_restriction_policy
  const empty = text.trim() === ''
  if (policy === 'required' && empty) return [finding('content_empty', `${where} requires a text`, 'Write a text.')]
  if (policy === 'notAllowed' && !empty) {
    return [finding('metadata_invalid', `${where} does not allow a text beside the title`, 'Leave out the text.')]
  }
  return empty ? [] : [...lengths('body', text, where, rules), ...patternsIn('body', text, where, rules)]
}

const isAt = (host: string) => (domain: string) =>
  host === domain.toLowerCase() || host.endsWith(`.${domain.toLowerCase()}`)

const link = (url: string, where: string, rules: Requirements): Finding[] => {
  const host = URL.parse(url)?.hostname ?? ''
  const policy = rules.link_restriction_policy
  const closed =
    (policy === 'whitelist' && !(rules.domain_whitelist ?? []).some(isAt(host))) ||
    (policy === 'blacklist' && (rules.domain_blacklist ?? []).some(isAt(host)))
  return closed
    ? [finding('metadata_invalid', `${where} does not allow links to ${host}`, 'Link to another site.')]
    : []
}

/** A post against what its subreddit demands; a text of undefined is not looked at. */
export const checkRequirements = (
  { subreddit, title, kind, flairId, url }: RedditMetadata,
  text: string | undefined,
  rules: Requirements,
): Finding[] => {
  const where = `r/${subredditName(subreddit)}`
  return [
    ...(rules.is_flair_required && !flairId
      ? [
          finding(
            'flair_required',
            `${where} requires a flair`,
            'Send metadata.reddit.flairId; GET /api/social-accounts/reddit/flair-options lists the flairs.',
          ),
        ]
      : []),
    ...lengths('title', title.trim(), where, rules),
    ...patternsIn('title', title, where, rules),
    ...(kind === 'self' && text !== undefined ? body(text, where, rules) : []),
    ...(kind === 'link' && url !== undefined ? link(url, where, rules) : []),
  ]
}
