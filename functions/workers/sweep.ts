import { wholeProcessorMb } from '../../shared/resources.ts'
import { sweep } from '../../shared/sweeper/sweep.ts'
import { timer } from '../../shared/worker.ts'

export const handler = timer(
  {
    summary: 'Enqueues again the messages of rows with unfinished work',
    everyMinutes: 1,
    // Two pages of all shards longer than a run continues; the next run starts after a minute.
    timeoutSeconds: 58,
    // After an outage a run has a million rows to resume (node test/bench/sweeper.ts).
    memoryMb: wholeProcessorMb,
    needs: [
      'table:read',
      'table:write',
      'query:sweep',
      'queue:prepare',
      'queue:publish',
      'queue:events',
      'queue:deliver',
      'queue:drain',
      'queue:replay',
      'queue:purge',
      'queue:export',
      'queue:import',
      'queue:index',
      'queue:notify',
      'queue:billing',
      'queue:preview',
      'queue:ai',
      'queue:depth',
    ],
  },
  (ctx) => sweep(ctx),
)
