import { sweep } from '../../shared/sweeper/sweep.ts'
import { timer } from '../../shared/worker.ts'

export const handler = timer(
  {
    summary: 'Enqueues again the messages of rows with unfinished work',
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
