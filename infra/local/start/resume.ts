import type { Context } from '../../../shared/context.ts'
import { enqueueDueWithin } from '../../../shared/sweeper/sweep.ts'

// The sweeper's own waits are a minute at most, and its schedule runs every minute.
const withinMs = 90_000

/**
 * Continues immediately what a kill interrupted: its messages were never sent, or seem to be in a worker's hands until they
 * time out. Duplicate messages change nothing, because the rows decide.
 */
export const resume = (ctx: Context): Promise<void> => enqueueDueWithin(ctx, withinMs)
