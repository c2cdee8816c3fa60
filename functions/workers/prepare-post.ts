import * as z from 'zod/mini'
import { PrepareMessage, prepareTimeoutSeconds } from '../../shared/posts/lifecycle/work.ts'
import { preparePosts } from '../../shared/posts/publishing/prepare.ts'
import { RenewMessage, renewAccount } from '../../shared/social-accounts/renew.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Prepares posts before their time: enqueues the publisher’s message, uploads media, refreshes tokens',
    queues: ['prepare'],
    batchSize: 10,
    timeoutSeconds: prepareTimeoutSeconds,
    // One full vCPU, and memory for an image of 100 million pixels.
    memoryMb: 1769,
    needs: [
      'table:read',
      'table:write',
      'queue:prepare',
      'queue:publish',
      'queue:events',
      'media:read',
      'media:write',
      'kms:decrypt',
      'platform-secrets',
      'origins',
    ],
    layers: ['sharp'],
    recursive: true,
  },
  z.union([PrepareMessage, RenewMessage]),
  ({ ctx, message }) => ('socialAccountId' in message ? renewAccount(ctx, message) : preparePosts(ctx, message)),
)
