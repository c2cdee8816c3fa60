import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { defineEvent, firstOfSubject, order } from './define-event.ts'

export const aiEvents = {
  'ai.completed': defineEvent({
    description: 'An AI job ended, completed or failed. The event does not contain the text: read the job.',
    data: z.object({
      jobId: described(z.string(), 'Read the job with GET /api/ai/jobs/{id}.'),
      kind: described(z.enum(['generate', 'transcribe']), 'What the job does.'),
      status: described(z.enum(['completed', 'failed']), 'How the job ended.'),
      ...order,
    }),
    example: {
      jobId: 'aij_01KAJ2K6C8E0G2J4M6P8S0V2X4',
      kind: 'generate',
      status: 'completed',
      ...firstOfSubject,
    },
  }),
}
