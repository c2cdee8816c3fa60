import { standIns } from './stand-ins.ts'
import type { Platform } from './standin.ts'

/** Every stand-in, in the order of their ports. */
export const everyPlatform: readonly Platform[] = Object.values(standIns)
