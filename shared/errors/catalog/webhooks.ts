import type { ErrorEntries } from '../reason.ts'

/** Webhook endpoints, deliveries, replays, and the event log. */
export const webhookErrors = {
  webhook_endpoint_not_found: {
    reason: 'missing',
    message: 'This workspace has no webhook endpoint whe_3ujT0dY1wqz5N8rXbC2L.',
    meaning: 'The workspace has no webhook endpoint with this id.',
    fix: 'Use an id from GET /api/webhooks.',
  },
  webhook_endpoint_limit: {
    reason: 'invalid',
    message: 'A workspace has at most 10 webhook endpoints. Delete one first.',
    meaning: 'The workspace has as many webhook endpoints as it can have.',
    fix: 'Delete an endpoint first.',
  },
  webhook_endpoint_disabled: {
    reason: 'conflict',
    message: 'This webhook endpoint is disabled. Send PATCH with "enabled": true first.',
    meaning: 'The webhook endpoint is disabled, so nothing is delivered to it.',
    fix: 'Enable it with PATCH /api/webhooks/{id} and `"enabled": true`.',
  },
  webhook_secret_limit: {
    reason: 'conflict',
    message: 'The endpoint already has 3 live secrets. Wait until one expires, or send "expireOldInSeconds": 0.',
    meaning: 'The webhook endpoint has as many live secrets as it can have.',
    fix: 'Wait until one expires, or send `expireOldInSeconds: 0` to end the old ones now.',
  },
  url_not_allowed: {
    reason: 'invalid',
    message: 'The address 127.0.0.1 is not on the public internet.',
    meaning: 'The service does not call this URL: it is malformed, not https, or not on the public internet.',
    fix: 'Use an https URL of a public host.',
  },
  delivery_not_found: {
    reason: 'missing',
    message: 'The log of this webhook endpoint has no attempt dlv_01KAJ2K6C8E0G2J4M6P8S0V2X40000.',
    meaning: 'The log of the webhook endpoint has no attempt with this id, or it has expired.',
    fix: 'Use an id from GET /api/webhooks/{id}/deliveries.',
  },
  event_not_found: {
    reason: 'missing',
    message:
      'The event evt_01KAJ2K6C8E0G2J4M6P8S0V2X400 was not found or has expired. Pass your last "nextCursor" as "cursor", or neither to start with the oldest event.',
    meaning: 'The event does not exist or has expired.',
    fix: 'In the event log, pass the last `nextCursor` as `cursor`; an expired event cannot be redelivered.',
  },
  replay_not_found: {
    reason: 'missing',
    message: 'This workspace has no replay rpl_01KAJ2K6C8E0G2J4M6P8S0V2X4.',
    meaning: 'The workspace has no replay with this id, or it has expired.',
    fix: 'Use the id that POST /api/webhooks/{id}/replay returned.',
  },
  replay_in_progress: {
    reason: 'conflict',
    message: 'A replay to this webhook endpoint is in progress. Wait until it has ended.',
    meaning: 'A replay to this webhook endpoint, which `replayId` names, has not ended yet.',
    fix: 'Wait until it has ended; GET /api/webhooks/replays/{replayId} shows its progress.',
  },
  delivery_attempt_limit: {
    reason: 'conflict',
    message: 'The maximum of 700 attempts for this event and endpoint is reached.',
    meaning: 'The event already has the maximum number of attempts at this endpoint.',
    fix: 'Read the event from GET /api/webhooks/events/log instead.',
  },
  test_not_redeliverable: {
    reason: 'conflict',
    message: 'A test delivery cannot be redelivered. Send a new test.',
    meaning: 'The attempt is a test, which is sent only once.',
    fix: 'Send a new test with POST /api/webhooks/{id}/test.',
  },
} as const satisfies ErrorEntries
