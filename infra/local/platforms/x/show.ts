import twitter from 'twitter-text'
import { weightedLength } from '../../../../shared/platforms/x/weighted-length.ts'
import type { StoredTweet } from './tweet.ts'

/** The address of a tweet. */
export const url = (tweet: StoredTweet): string => `https://x.com/${tweet.owner.username}/status/${tweet.id}`

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The part of a tweet that is shown if its whole text does not fit. */
const shortLength = 280
const cutLength = 260

/** Links become t.co links, plus one for the media; the entities contain the long URLs. */
const linked = (tweet: StoredTweet) => {
  const links = twitter.extractUrls(tweet.text)
  const urls = links.map((long, n) => ({
    url: `https://t.co/${tweet.id.slice(-6)}${n}`,
    expanded_url: /^https?:/.test(long) ? long : `http://${long}`,
    long,
  }))
  const text = urls.reduce((rest, link) => rest.replace(link.long, link.url), tweet.text)
  return { text: escaped(text), urls: urls.map(({ long: _long, ...rest }) => rest) }
}

interface Link {
  url: string
  expanded_url: string
}

/** Each link with its position in the text, in code points (X API, EntityIndicesInclusiveExclusive). */
const placed = (text: string, links: readonly Link[]) =>
  links.map((link) => {
    const start = [...text.slice(0, text.indexOf(link.url))].length
    return { start, end: start + link.url.length, ...link }
  })

/** A tweet as lists show it: a long text is cut, and complete only in its note. */
export const shown = (tweet: StoredTweet) => {
  const { text, urls } = linked(tweet)
  const isLong = weightedLength(tweet.text) > shortLength
  const own = { url: `https://t.co/m${tweet.id.slice(-6)}`, expanded_url: `${url(tweet)}/photo/1` }
  const more = { url: `https://t.co/n${tweet.id.slice(-6)}`, expanded_url: url(tweet) }
  const start = isLong ? `${[...text].slice(0, cutLength).join('')}… ${more.url}` : text
  const withMedia = tweet.media.length > 0 ? `${start} ${own.url}`.trim() : start
  const remaining = isLong ? [...urls.filter(({ url: short }) => start.includes(short)), more] : urls
  const entities = [...remaining, ...(tweet.media.length > 0 ? [own] : [])]
  return {
    text: withMedia,
    entities: entities.length > 0 ? { urls: placed(withMedia, entities) } : undefined,
    note: isLong ? { text, ...(urls.length > 0 ? { entities: { urls: placed(text, urls) } } : {}) } : undefined,
  }
}

/** With the fields that a call requests or expands, by either of X's names for them; unknown names are ignored. */
export const show = (tweet: StoredTweet, query: URLSearchParams): Record<string, unknown> => {
  const names = [query.get('post.fields') ?? query.get('tweet.fields') ?? '', query.get('expansions') ?? '']
  const fields = names.join(',').split(',')
  const { text, entities, note } = shown(tweet)
  const more: Readonly<Record<string, unknown>> = {
    author_id: tweet.owner.id,
    created_at: new Date(tweet.createdAt).toISOString(),
    entities,
    note_post: note,
    note_tweet: note,
  }
  const picked = Object.entries(more).filter(([name, value]) => fields.includes(name) && value !== undefined)
  return { id: tweet.id, text, edit_history_post_ids: [tweet.id], ...Object.fromEntries(picked) }
}
