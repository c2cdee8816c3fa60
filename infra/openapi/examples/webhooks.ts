import type * as webhooks from '../../../functions/api/webhooks/index.ts'
import type { ExamplesOf } from './example.ts'
import { story } from './story.ts'

const { endpoint: id, delivery: deliveryId } = story

export const webhookExamples: ExamplesOf<typeof webhooks> = {
  create: {
    request: { name: 'Web shop', url: story.receiver, events: ['post.published', 'post.publish_failed'] },
  },
  list: {},
  get: { params: { id } },
  update: {
    params: { id },
    request: { name: 'Web shop, outcomes only', events: ['post.published', 'post.publish_failed'] },
  },
  delete: { params: { id } },
  rotateSecret: { params: { id }, request: { expireOldInSeconds: 86_400 } },
  sendTest: { params: { id } },
  listEvents: {},
  listEventLog: { query: { types: 'post.scheduled,post.published', limit: 2 } },
  listDeliveries: { params: { id }, query: { limit: 2 } },
  getStatistics: {},
  getDelivery: { params: { id, deliveryId } },
  redeliver: { params: { id, deliveryId } },
  replay: {
    params: { id },
    request: { since: '2026-11-20T06:00:00Z', until: '2026-11-20T12:00:00Z', scope: 'all' },
  },
  getReplay: { params: { replayId: story.replay } },
}
