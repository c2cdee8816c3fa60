import { callingSteps } from './call.ts'
import { journalingSteps, receivePublishSteps, waitingSteps } from './claim.ts'
import { committingSteps, emittingSteps } from './commit.ts'
import type { Model } from './model.ts'
import { receivePrepareSteps, storingSteps } from './prepare.ts'
import { settlingSteps } from './settle.ts'
import type { State, Worker } from './state.ts'
import type { Step } from './step.ts'
import { faultSteps, sweeperSteps, timeSteps } from './surroundings.ts'
import { userSteps } from './user.ts'

type WorkerSteps = (state: State, slot: number, worker: Worker, model: Model) => Step[]

const byPhase: Record<Worker['phase'], WorkerSteps> = {
  idle: (state, slot, _worker, model) => [
    ...receivePrepareSteps(state, slot, model),
    ...receivePublishSteps(state, slot, model),
  ],
  storing: storingSteps,
  waiting: waitingSteps,
  settling: settlingSteps,
  journaling: journalingSteps,
  calling: callingSteps,
  committing: committingSteps,
  emitting: emittingSteps,
}

/** Everything that may happen next; of several idle workers the first is as good as any. */
export const stepsFrom = (state: State, model: Model): Step[] => [
  ...timeSteps(state, model),
  ...sweeperSteps(state, model),
  ...faultSteps(state, model),
  ...userSteps(state, model),
  ...state.workers.flatMap((worker, slot) =>
    worker.phase === 'idle' && state.workers.findIndex(({ phase }) => phase === 'idle') < slot
      ? []
      : byPhase[worker.phase](state, slot, worker, model),
  ),
]
