import { join } from 'node:path'
import type { LayerName } from '../../../shared/resources.ts'

/** The folder of a layer, next to the bundles. */
export const layerFolder = (name: LayerName, bundles = join(import.meta.dirname, '../../../dist')): string =>
  join(bundles, 'layers', name)
