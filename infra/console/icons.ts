import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PlatformId, platformIds } from '../../shared/resources.ts'

const folder = join(import.meta.dirname, '../../node_modules/bootstrap-icons/icons')

/** Icons whose name is not the ID of the platform. */
const names: Readonly<Partial<Record<PlatformId, string>>> = { x: 'twitter-x' }

/** The colors in which platforms show their logos. A platform without one shows it in the color of the text. */
const colors: Readonly<Partial<Record<PlatformId, string>>> = {
  bluesky: '#1185fe',
  discord: '#5865f2',
  facebook: '#0866ff',
  instagram: '#d62976',
  linkedin: '#0a66c2',
  mastodon: '#6364ff',
  nostr: '#8e30eb',
  pinterest: '#e60023',
  reddit: '#ff4500',
  slack: '#611f69',
  wordpress: '#21759b',
  youtube: '#ff0000',
}

/** What platforms show below a post, in their order, as seen in November 2026. */
const actions: Readonly<Partial<Record<PlatformId, string>>> = {
  bluesky: 'chat repeat heart bookmark share',
  discord: 'emoji-smile reply',
  facebook: 'hand-thumbs-up chat share',
  instagram: 'heart chat repeat send bookmark',
  linkedin: 'hand-thumbs-up chat repeat send',
  mastodon: 'reply repeat star bookmark',
  nostr: 'chat repeat heart',
  pinterest: 'heart chat share',
  reddit: 'arrow-up arrow-down chat share',
  slack: 'emoji-smile reply',
  threads: 'heart chat repeat send',
  tiktok: 'heart chat-dots bookmark share',
  x: 'chat repeat heart bar-chart bookmark',
  youtube: 'hand-thumbs-up hand-thumbs-down share',
}

/** The shape of an icon in a square of 16; undefined if there is none. */
const shapeOf = (name: string): string | undefined => {
  const file = join(folder, `${name}.svg`)
  if (!existsSync(file)) return undefined
  return [...readFileSync(file, 'utf8').matchAll(/ d="([^"]+)"/g)].map(([, shape]) => shape).join('')
}

interface PlatformArt {
  /** The logo; absent if there is none, which shows the initial. */
  logo?: string | undefined
  color?: string | undefined
  /** The shapes of what the platform shows below a post. */
  actions: readonly (string | undefined)[]
}

/**
 * The shapes and colors that make platforms recognizable: Bootstrap Icons (MIT). The logos are trademarks, and only say
 * where a post goes.
 */
export const platformArt = (): Readonly<Record<string, PlatformArt>> =>
  Object.fromEntries(
    platformIds.map((id) => [
      id,
      {
        logo: shapeOf(names[id] ?? id),
        color: colors[id],
        actions: (actions[id] ?? '').split(' ').filter(Boolean).map(shapeOf),
      },
    ]),
  )
