import type { QueueName } from '../../shared/resources.ts'

/** How many invocations of its worker each queue may have at once, where a deployment sets nothing else. */
export const defaultConcurrency: Readonly<Record<QueueName, number>> = {
  prepare: 50,
  events: 50,
  deliver: 100,
  drain: 100,
  replay: 10,
  purge: 2,
  preview: 10,
  index: 10,
  'publish-x': 20,
  'publish-bluesky': 50,
  'publish-threads': 20,
  'publish-linkedin': 20,
  'publish-instagram': 20,
  'publish-tiktok': 20,
  'publish-facebook': 20,
  'publish-pinterest': 20,
  'publish-youtube': 20,
  'publish-reddit': 20,
  'publish-discord': 20,
  'publish-slack': 20,
}
