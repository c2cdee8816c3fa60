import type { QueueName } from '../../shared/resources.ts'

/**
 * How many invocations of its worker each queue may have at once, where a deployment sets nothing else. A receiver of
 * webhooks can hold an invocation for 15 s, so those have a limit; so has what nobody waits for. The pipeline of posts has
 * none: Lambda polls a queue without a limit with two pollers while it is idle, and with five otherwise (Lambda guide,
 * "Configuring scaling behavior for SQS event source mappings", read 2026-11-22).
 */
export const defaultConcurrency: Readonly<Record<QueueName, number | null>> = {
  prepare: null,
  events: null,
  deliver: 100,
  drain: 100,
  replay: 10,
  purge: 2,
  preview: 10,
  index: 10,
  'publish-x': null,
  'publish-bluesky': null,
  'publish-threads': null,
  'publish-linkedin': null,
  'publish-instagram': null,
  'publish-tiktok': null,
  'publish-facebook': null,
  'publish-pinterest': null,
  'publish-youtube': null,
  'publish-reddit': null,
  'publish-discord': null,
  'publish-slack': null,
}
