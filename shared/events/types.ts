import * as z from 'zod/mini'
import { described } from '../http/described.ts'

/** The event types of the specification. */
const specifiedTypes = [
  'post.scheduled',
  'post.rescheduled',
  'post.cancelled',
  'post.published',
  'post.publish_failed',
  'social_account.reconnect_required',
] as const

/** Event types beyond the specification. An endpoint receives them only if it names them. */
export const extensionTypes = [
  'post.updated',
  'post.comment_published',
  'post.comment_failed',
  'post.live_deleted',
  'post.live_delete_failed',
  'post.live_edited',
  'post.live_edit_failed',
  'social_account.connected',
  'social_account.disconnected',
  'social_account.access_ending',
  'workspace.trial_ending',
  'workspace.payment_failed',
  'ai.completed',
] as const

/** The event types of the API. */
export const eventTypes = [...specifiedTypes, ...extensionTypes] as const
export type EventType = (typeof eventTypes)[number]

/** Event types in a query string, separated by commas. */
export const EventTypeList = described(
  z.pipe(
    z.string(),
    z.pipe(
      z.transform((text: string) => text.split(',')),
      z.array(z.enum(eventTypes)),
    ),
  ),
  'Event types, separated by commas.',
)
