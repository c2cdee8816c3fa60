import type { PlatformId } from '../resources.ts'
import { card as bluesky } from './bluesky/card.ts'
import { card as discord } from './discord/card.ts'
import { card as facebook } from './facebook/card.ts'
import { card as instagram } from './instagram/card.ts'
import { card as linkedin } from './linkedin/card.ts'
import { card as pinterest } from './pinterest/card.ts'
import type { PlatformCard } from './platform.ts'
import { card as reddit } from './reddit/card.ts'
import { card as slack } from './slack/card.ts'
import { card as threads } from './threads/card.ts'
import { card as tiktok } from './tiktok/card.ts'
import { card as x } from './x/card.ts'
import { card as youtube } from './youtube/card.ts'

const cards: Partial<Record<PlatformId, PlatformCard>> = {
  x,
  bluesky,
  discord,
  pinterest,
  tiktok,
  threads,
  instagram,
  slack,
  youtube,
  facebook,
  reddit,
  linkedin,
}

/** The cards of all platforms that are built, for validation and the docs; nothing here can publish. */
export const catalogue: readonly PlatformCard[] = Object.values(cards)

export const cardOf = (id: PlatformId): PlatformCard => {
  const card = cards[id]
  if (!card) throw new Error(`the platform ${id} is not built`)
  return card
}
