import type { PlatformId } from '../resources.ts'
import { card as bluesky } from './bluesky/card.ts'
import { card as discord } from './discord/card.ts'
import type { PlatformCard } from './platform.ts'

const cards: Partial<Record<PlatformId, PlatformCard>> = { bluesky, discord }

/** The cards of all platforms that are built, for validation and the docs; nothing here can publish. */
export const catalogue: readonly PlatformCard[] = Object.values(cards)

export const cardOf = (id: PlatformId): PlatformCard => {
  const card = cards[id]
  if (!card) throw new Error(`the platform ${id} is not built`)
  return card
}
