import * as z from 'zod/mini'
import { described } from '../../http/described.ts'

/** The fields of every event: its order, and whether it is a test. */
export const order = {
  sequence: described(
    z.int().check(z.gte(1)),
    'Increases with the events of this post or account. Ignore an event with a lower number than one you have processed.',
  ),
  previousEventId: described(z.nullable(z.string()), 'The id of the previous event of the same post or account.'),
  test: described(z.optional(z.literal(true)), 'Present only in a test of an endpoint.'),
}

/** The order in the examples: the first event of its subject, and the one after it. */
export const firstOfSubject = { sequence: 1, previousEventId: null }
export const secondOfSubject = { sequence: 2, previousEventId: 'evt_01KAJ1Z3B5D7F9H1K3N5Q7S9V100' }

/** What an event type means, the schema of its `data`, and an example of it. */
export const defineEvent = <Data extends z.ZodMiniObject>(event: {
  /** When the event is sent, in one sentence. */
  description: string
  data: Data
  example: z.infer<Data>
}) => event
