import * as z from 'zod/mini'
import { NoticeMessage } from '../../shared/identity/notice.ts'
import { notifyPerson } from '../../shared/identity/notify-person.ts'
import { retryEmail } from '../../shared/identity/retry-email.ts'
import { UnsentEmailMessage } from '../../shared/identity/unsent-email.ts'
import { drain } from '../../shared/webhooks/draining/drain.ts'
import { DrainMessage, drainWork } from '../../shared/webhooks/health/work.ts'
import { worker } from '../../shared/worker.ts'
import { ownerOf } from '../../shared/workspaces/list-members.ts'

export const handler = worker(
  {
    summary:
      'Sends pending deliveries of a failing, recovering, or slow webhook endpoint, and sends emails about accounts',
    ...drainWork.worker,
    batchSize: 1,
    memoryMb: 512,
    needs: [
      'table:read',
      'table:write',
      'query:waiting',
      'queue:deliver',
      'queue:drain',
      'queue:notify',
      'kms:decrypt',
      'origins',
      'mail',
    ],
  },
  z.union([DrainMessage, NoticeMessage, UnsentEmailMessage]),
  ({ ctx, message }) => {
    if ('noticeId' in message) return notifyPerson(ctx, message, ownerOf)
    return 'emailId' in message ? retryEmail(ctx, message) : drain(ctx, message)
  },
)
