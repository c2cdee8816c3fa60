import * as z from 'zod/mini'
import type { PlatformCall, Settled, UnsettledAttempt } from '../platform.ts'
import { callX } from './api.ts'
import { Tweet, tweetUrl } from './publish.ts'

/** How far X's clock and ours may be apart. */
const slackMs = 5_000

const Timeline = z.object({
  data: z.optional(
    z.array(
      z.object({
        id: z.string(),
        text: z.string(),
        created_at: z.string(),
        entities: z.optional(
          z.object({ urls: z.optional(z.array(z.object({ url: z.string(), expanded_url: z.optional(z.string()) }))) }),
        ),
      }),
    ),
  ),
})

type Seen = NonNullable<z.infer<typeof Timeline>['data']>[number]

/** A text without links: X puts its own in their place, and one for the media at the end. */
const withoutLinks = (text: string, links: readonly string[]): string =>
  links
    .reduce((rest, link) => rest.replaceAll(link, ''), text)
    .replace(/\s+/g, ' ')
    .trim()

const sameText = ({ text, entities }: Seen, ours: string): boolean => {
  const urls = entities?.urls ?? []
  const shown = withoutLinks(
    plain(text),
    urls.map(({ url }) => url),
  )
  const expanded = urls.flatMap(({ expanded_url: long }) => (long === undefined ? [] : [long, long.replace(/\/$/, '')]))
  const bare = expanded.flatMap((link) => [link, link.replace(/^https?:\/\//, '')])
  return shown === withoutLinks(ours, bare)
}

/** X escapes three signs in the texts it gives. */
const plain = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Looks for the tweet among the account's newest: X remembers no key of ours. */
export const probe = async (call: PlatformCall, attempt: UnsettledAttempt): Promise<Settled> => {
  const { text } = z.parse(Tweet, attempt.ref)
  const query = { max_results: '20', 'tweet.fields': 'created_at,text,entities', exclude: 'retweets' }
  const path = '/2/users/{id}/tweets'
  const params = { id: call.account.externalId }
  const { data = [] } = await callX(call, { path, params, query, reply: Timeline })
  const since = data.filter(({ created_at }) => Date.parse(created_at) >= attempt.armedAtMs - slackMs)
  const ours = since.find((tweet) => sameText(tweet, text))
  if (ours) return { kind: 'landed', id: ours.id, url: tweetUrl(call.account.username, ours.id) }
  // A page full of newer ones hides what came before.
  return since.length < 20 ? { kind: 'absent' } : { kind: 'unclear' }
}
