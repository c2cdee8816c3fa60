import type { Command } from '../requests/command.ts'
import type { Answer, Wire } from './wire.ts'

const maxPages = 200

/** Carries out a command; returns what the engine answered to each of its requests. */
export const perform = async (wire: Wire, { operation, input, toTheEnd, twice }: Command): Promise<Answer[]> => {
  const answers = [await wire.send({ operation, input })]
  if (twice) answers.push(await wire.send({ operation, input }))
  for (let last = answers.at(-1); toTheEnd && answers.length < maxPages; last = answers.at(-1)) {
    const ExclusiveStartKey = last?.['LastEvaluatedKey']
    if (ExclusiveStartKey === undefined) break
    answers.push(await wire.send({ operation, input: { ...input, ExclusiveStartKey } }))
  }
  return answers
}
