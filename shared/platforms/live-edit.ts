import type { PlatformId } from '../resources.ts'

interface LiveEdit {
  /** The fields of the block `metadata.<platform>` that can change, beside the text. */
  fields: readonly string[]
  /** Why a post with media cannot be edited; absent where it can. */
  withMedia?: string
  /** Fields of the block, or values of them, whose posts cannot be edited, each with the reason. */
  withField?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

const noStories = 'Facebook stories have no text to edit.'
const onlySelf = 'Reddit edits only posts of the kind `self`.'
const notOffered = 'offers no call that edits posts.'

const offers: Readonly<Partial<Record<PlatformId, LiveEdit | string>>> = {
  x: 'X publishes an edited post under another ID, which this service does not follow.',
  bluesky: 'Bluesky apps ignore edits: they show a post as it was first published.',
  threads: `Threads ${notOffered}`,
  instagram: `Instagram ${notOffered}`,
  tiktok: `TikTok ${notOffered}`,
  facebook: { fields: [], withField: { format: { photo_story: noStories, video_story: noStories } } },
  youtube: { fields: ['title', 'tags', 'categoryId', 'defaultLanguage'] },
  reddit: {
    fields: ['body'],
    // editusertext is for comments and self posts (Reddit API, 2026-11-27).
    withField: { kind: Object.fromEntries(['link', 'image', 'video', 'crosspost'].map((kind) => [kind, onlySelf])) },
  },
  // The place of a mention is in the text, so that both change together.
  linkedin: { fields: ['mentions'] },
  pinterest: { fields: ['title', 'description', 'link', 'boardName'] },
  // Poll Resource, 2026-08-06.
  discord: { fields: [], withField: { poll: 'Discord messages with a poll cannot be edited.' } },
  slack: {
    fields: [],
    // What chat.update does with files that it does not name is not documented (chat.update, file_ids, 2026-11-26).
    withMedia: 'Slack messages with files are not edited.',
  },
  mastodon: {
    fields: [],
    // An edit names the poll again, with another end (Mastodon source, UpdateStatusService, 2026-11-26).
    withField: { poll: 'Mastodon posts with a poll are not edited: the poll would begin again.' },
  },
  wordpress: { fields: ['title', 'excerpt'] },
  nostr: 'Nostr posts cannot be changed: an edited post would be another one.',
}

/** Why a post with a metadata block cannot be edited; undefined if it can. */
export const whyNotEditable = (
  { withField = {} }: LiveEdit,
  block: Readonly<Record<string, unknown>>,
): string | undefined => {
  for (const [name, reasons] of Object.entries(withField)) {
    const reason = typeof reasons === 'string' ? reasons : reasons[String(block[name])]
    if (Object.hasOwn(block, name) && reason !== undefined) return reason
  }
  return undefined
}

/** How live posts are edited at a platform (`PlatformAdapter.edit`); otherwise why not. */
export const liveEdit = (id: PlatformId): LiveEdit | string =>
  offers[id] ?? 'This service edits no posts of that platform.'
