import { sweep } from '../../shared/sweeper/sweep.ts'
import { timer } from '../../shared/worker.ts'

export const handler = timer(
  {
    summary: 'Puts rows with unfinished work back on their queues; it only sends messages again',
    everyMinutes: 1,
    timeoutSeconds: 55,
    memoryMb: 512,
    needs: [
      'table:read',
      'table:write',
      'queue:prepare',
      'queue:publish',
      'queue:events',
      'queue:deliver',
      'queue:drain',
      'queue:replay',
      'queue:purge',
      'queue:index',
      'queue:preview',
      'queue:depth',
    ],
  },
  (ctx) => sweep(ctx),
)
