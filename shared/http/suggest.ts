/** Names that callers of similar services send, and the field that they mean. */
const aliases: Readonly<Record<string, string>> = {
  text: 'content',
  message: 'content',
  caption: 'content',
  body: 'content',
  post: 'content',
  accounts: 'socialAccountIds',
  accountids: 'socialAccountIds',
  accountid: 'socialAccountId',
  socialaccounts: 'socialAccountIds',
  channels: 'socialAccountIds',
  publishat: 'scheduledAt',
  scheduledate: 'scheduledAt',
  scheduledfor: 'scheduledAt',
  sendat: 'scheduledAt',
  date: 'scheduledAt',
  time: 'scheduledAt',
  media: 'mediaUrls',
  mediaids: 'mediaUrls',
  images: 'mediaUrls',
  files: 'mediaUrls',
  imageurl: 'mediaUrls',
  imageurls: 'mediaUrls',
  videourl: 'mediaUrls',
  page: 'cursor',
  posts: 'tweets',
  twitter: 'x',
  ig: 'instagram',
  fb: 'facebook',
  yt: 'youtube',
  tt: 'tiktok',
  board: 'boardId',
  channel: 'channelId',
  privacy: 'privacyLevel',
  type: 'kind',
  imagejpg: 'image/jpeg',
  videomov: 'video/quicktime',
}

/** Letter case, and the separators between words, are ignored. */
const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The letters that must be added, removed, replaced, or swapped with their neighbor (optimal string alignment). */
const distance = (a: string, b: string): number => {
  let [older, old] = [[] as number[], Array.from({ length: b.length + 1 }, (_, n) => n)]
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (old[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (older[j - 2] ?? 0) + 1 : Infinity
      row.push(Math.min(replaced, swapped, (old[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    ;[older, old] = [old, row]
  }
  return old[b.length] ?? 0
}

/** What distinguishes a name from others of its kind: for a media type, the part after the slash. */
const telling = (name: string) => plain(name.slice(name.indexOf('/') + 1))

/** Names beyond this length are not typos, and would take long to compare. */
const longest = 40

/** The known name that an unknown one most likely means. */
export const suggest = (name: string, known: readonly string[]): string | undefined => {
  const sought = plain(name)
  if (sought === '' || sought.length > longest) return undefined
  const alias = Object.hasOwn(aliases, sought) ? aliases[sought] : undefined
  const byAlias = known.find(
    (candidate) => candidate === alias || (alias !== undefined && candidate === alias.replace(/s$/, '')),
  )
  const near = known
    .map((one) => ({ one, off: distance(sought, plain(one)) }))
    .filter(({ one, off }) => off <= Math.floor(Math.min(telling(name).length, telling(one).length) / 3))
    .toSorted((a, b) => a.off - b.off)
  const [nearest] = near
  if (nearest?.off === 0) return nearest.one
  return byAlias ?? nearest?.one ?? known.find((candidate) => sought.length > 4 && plain(candidate).startsWith(sought))
}
