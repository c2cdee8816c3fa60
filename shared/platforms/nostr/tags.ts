import type { SignedEvent, Tag } from './event.ts'
import { type Named, readLink } from './keys.ts'

/** A hashtag: letters after a `#` that no letter, slash, or ampersand precedes, as in the fragment of a link. */
const hashtag = /(?<![\p{L}\p{N}_/&?=#])#([\p{L}\p{N}_]+)/gu
/** A link to a person or a post (NIP-21). */
const link = /\bnostr:((?:npub|nprofile|note|nevent)1[02-9ac-hj-np-z]+)/g

/** The tag of a quoted post, and the one that names its author (NIP-18, Quote Reposts; NIP-10, 2026-07-22). */
export const quoteTags = ({ id, relays: [relay = ''], author }: Named): readonly Tag[] =>
  author === undefined
    ? [['q', id, relay]]
    : [
        ['q', id, relay, author],
        ['p', author],
      ]

/** The tags of the names in a text: hashtags in lower case (NIP-24), people, and posts (NIP-27). */
export const tagsOfText = (text: string): readonly Tag[] => [
  ...[...text.matchAll(hashtag)].map(([, name = '']): Tag => ['t', name.toLowerCase()]),
  ...[...text.matchAll(link)].flatMap(([, name = '']): readonly Tag[] => {
    const named = readLink(name)
    if (named === undefined) return []
    return named.kind === 'person' ? [['p', named.id]] : quoteTags(named)
  }),
]

/** The first post of the thread that a post belongs to; undefined if it replies to none. */
const rootOf = ({ tags }: SignedEvent): readonly string[] | undefined => {
  const posts = tags.filter(([name]) => name === 'e')
  // Without markers, the first one is the root (NIP-10, Deprecated Positional "e" tags).
  return posts.find(([, , , marker]) => marker === 'root') ?? posts.find(([, , , marker = '']) => marker === '')
}

/** The tags of a reply: the first post of the thread, the parent, and the participants (NIP-10). */
export const replyTags = (parent: SignedEvent, relay: string, ownKey: string): readonly Tag[] => {
  const root = rootOf(parent)
  const [, rootId = '', rootRelay = '', , rootAuthor = ''] = root ?? []
  const people = [parent.pubkey, ...parent.tags.flatMap(([name, key = '']) => (name === 'p' ? [key] : []))]
  return [
    ...(root === undefined
      ? [['e', parent.id, relay, 'root', parent.pubkey]]
      : [
          ['e', rootId, rootRelay, 'root', rootAuthor],
          ['e', parent.id, relay, 'reply', parent.pubkey],
        ]),
    ...people.filter((key) => key !== ownKey).map((key) => ['p', key]),
  ]
}

/** The tags, each once: of two about one subject the first, which is more detailed. */
export const uniqueTags = (tags: readonly Tag[]): readonly Tag[] => {
  const seen = new Set<string>()
  return tags.filter(([name = '', value = '']) => {
    const key = `${name} ${value}`
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}
