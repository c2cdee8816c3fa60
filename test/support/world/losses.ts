import type { FunctionEffect } from '../../../infra/local/service/invocation.ts'
import type { Traveller } from './traveller.ts'

/** Loses messages of a journey on their way to a queue. */
export const makeLosses = () => {
  let losses: Parameters<Traveller['losing']>[0] = []
  const losing: Traveller['losing'] = async (some, step) => {
    losses = some
    await step()
    losses = []
  }
  const isLost = ({ service, functionName, resource }: FunctionEffect) =>
    service === 'sqs' && losses.some((loss) => loss.functionName === functionName && loss.queue === resource)
  const assertArrives = (effect: FunctionEffect) => {
    if (isLost(effect)) throw new Error('lost on the way to the queue')
  }
  return { losing, assertArrives }
}
