import type { Check } from './check.ts'
import { accepted, type Good, good, rejected } from './platform-texts.ts'

/** What a field of a block takes, and what it does not. */
interface Field {
  block: Good
  field: string
  isRequired?: boolean
  takes: readonly unknown[]
  not: readonly unknown[]
}

const [reddit, instagram, pinterest, tiktok, discord, slack] = [
  good.reddit,
  good.instagram,
  good.pinterest,
  good.tiktok,
  good.discord,
  good.slack,
]

const [jpeg, mp4] = ['image/jpeg', 'video/mp4']
const reel = { ...instagram, metadata: { format: 'reel' }, files: [mp4] }
const link = { ...reddit, metadata: { ...reddit.metadata, kind: 'link', url: 'https://bread.test/one' } }

const string = (block: Good, field: string, value = 'some-words'): Field => ({
  block,
  field,
  takes: [value],
  not: [7, true, {}],
})
const required = (block: Good, field: string, value: string): Field => ({
  ...string(block, field, value),
  isRequired: true,
})
const boolean = (block: Good, field: string): Field => ({ block, field, takes: [true, false], not: ['yes', 1] })
const number = (block: Good, field: string): Field => ({ block, field, takes: [0, 1_000], not: ['1000', true] })

/** Resources, Post metadata. */
const fields: readonly Field[] = [
  required(reddit, 'subreddit', 'test'),
  required(reddit, 'title', 'A title'),
  { block: reddit, field: 'kind', isRequired: true, takes: ['self'], not: ['gallery', '', 1] },
  string(reddit, 'body'),
  string(link, 'url', 'https://bread.test/two'),
  string(reddit, 'flairText'),
  { ...string(reddit, 'flairId'), takes: [] },
  { ...string(reddit, 'posterMediaAssetId'), takes: [] },
  ...['nsfw', 'spoiler', 'sendReplies', 'resubmit'].map((field) => boolean(reddit, field)),
  { block: instagram, field: 'format', isRequired: true, takes: ['feed_image', 'story'], not: ['post', '', 1] },
  string(instagram, 'caption'),
  string(instagram, 'altText'),
  string(reel, 'audioName'),
  { ...string(reel, 'coverMediaAssetId'), takes: [] },
  boolean(reel, 'shareToFeed'),
  number(reel, 'thumbOffset'),
  { block: instagram, field: 'collaborators', takes: [[], ['ann'], ['ann', 'bea']], not: ['ann', [1], {}] },
  required(pinterest, 'boardId', '987654321'),
  required(pinterest, 'title', 'A loaf'),
  required(pinterest, 'description', 'On a board'),
  string(pinterest, 'boardName'),
  string(pinterest, 'link', 'https://bread.test/one'),
  {
    block: tiktok,
    field: 'privacyLevel',
    isRequired: true,
    takes: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY'],
    not: ['PUBLIC', 'self_only', '', 1],
  },
  string(tiktok, 'title'),
  ...['disableComment', 'disableDuet', 'disableStitch'].map((field) => boolean(tiktok, field)),
  number(tiktok, 'videoCoverTimestampMs'),
  required(discord, 'channelId', '1300000000000000102'),
  string(discord, 'channelName'),
  required(slack, 'channelId', 'G0123456789'),
  string(slack, 'channelName'),
]

const withField = (block: Good, field: string, value: unknown): Good => ({
  ...block,
  metadata: { ...block.metadata, [field]: value },
})

const without = (block: Good, field: string): Good => {
  const { [field]: _, ...metadata } = { ...block.metadata }
  return { ...block, metadata }
}

const withoutBlock = ({ metadata: _, ...block }: Good): Good => block

/** Kinds and formats that need other files than the good post of the platform has. */
const others: readonly [string, Good][] = [
  ['the kind image', { ...withField(reddit, 'kind', 'image'), files: [jpeg] }],
  ['the kind video', { ...withField(reddit, 'kind', 'video'), files: [mp4] }],
  ['the kind link', link],
  ['the format carousel', { ...withField(instagram, 'format', 'carousel'), files: [jpeg, jpeg] }],
  ['the format reel', reel],
]

const needing = [reddit, instagram, pinterest, tiktok, discord, slack]
const free = [good.x, good.linkedin, good.bluesky, good.threads, good.youtube, good.facebook]

export const platformMetadata: readonly Check[] = [
  ...needing.flatMap((post) => accepted('its block', post)),
  ...needing.flatMap((post) => rejected('a post without its block', withoutBlock(post), 'metadata_required')),
  ...needing.flatMap((post) => accepted('keys in addition to the listed ones', withField(post, 'ownKey', 'own'))),
  ...free.flatMap((post) => accepted('a post without a block', post)),
  ...others.flatMap(([title, post]) => accepted(title, post)),
  ...fields.flatMap(({ block, field, isRequired, takes, not }) => [
    ...(isRequired ? rejected(`a block without ${field}`, without(block, field)) : []),
    ...takes.flatMap((value) => accepted(`${field} ${JSON.stringify(value)}`, withField(block, field, value))),
    ...not.flatMap((value) => rejected(`${field} ${JSON.stringify(value)}`, withField(block, field, value))),
  ]),
]
