import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { platformIds } from '../../shared/resources.ts'

const folder = join(import.meta.dirname, '../../node_modules/bootstrap-icons/icons')

/** Icons whose name is not the ID of the platform. */
const names: Readonly<Record<string, string>> = { x: 'twitter-x' }

/**
 * The shapes of the platforms' logos in a square of 16, by platform: Bootstrap Icons (MIT). A platform without one there is
 * shown by its initial. The logos are trademarks, and only say where a post goes.
 */
export const platformIcons = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    platformIds.flatMap((id) => {
      const file = join(folder, `${names[id] ?? id}.svg`)
      if (!existsSync(file)) return []
      const shapes = [...readFileSync(file, 'utf8').matchAll(/ d="([^"]+)"/g)].map(([, shape]) => shape)
      return [[id, shapes.join('')]]
    }),
  )
