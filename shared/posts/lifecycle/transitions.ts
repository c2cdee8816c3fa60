import { defineLifecycle } from '../../db/lifecycle.ts'
import { notSwept } from '../../db/sweep-at.ts'
import { type Post, type PostStatus, posts } from './row.ts'
import type { PostStateKind } from './state.ts'

/** The attributes that belong to the publication of one version. */
const ofVersion = [
  'leaseUntilMs',
  'clientKey',
  'preparation',
  'prepareLeaseUntilMs',
  'publishQueued',
  'mediaPendingSinceMs',
  'presumedLostAtMs',
  'dueAtMs',
] as const

/** Everything that happens to a stored post: the actor, the states before and after, and the attributes that it clears. */
export const postLifecycle = defineLifecycle({
  entity: posts,
  attribute: 'status',
  states: {
    'awaiting-turn': 'scheduled',
    scheduled: 'scheduled',
    publishing: 'scheduled',
    unconfirmed: 'scheduled',
    'earlier-unconfirmed': 'scheduled',
    reconciling: 'scheduled',
    published: 'published',
    failed: 'failed',
    'outcome-unknown': 'failed',
    cancelled: 'cancelled',
  } satisfies Record<PostStateKind, PostStatus>,
  transitions: {
    /** The preparer has sent the publisher's message, which is delayed in its queue. */
    enqueue: { by: 'preparer', moves: { scheduled: ['scheduled'] }, clears: [] },
    /** One preparer starts to upload media. */
    beginPreparing: {
      by: 'preparer',
      moves: { scheduled: ['scheduled'], 'awaiting-turn': ['awaiting-turn'] },
      clears: [],
    },
    /** The media are ready, or can be resumed. */
    prepare: {
      by: 'preparer',
      moves: { scheduled: ['scheduled'], 'awaiting-turn': ['awaiting-turn'] },
      clears: ['prepareLeaseUntilMs'],
    },
    /** Files of the post were fetched from their addresses, or cannot be. */
    settleImports: {
      by: 'preparer',
      moves: { scheduled: ['scheduled'], 'awaiting-turn': ['awaiting-turn'] },
      clears: [],
    },
    /** The previous tweet is live. */
    startTurn: {
      by: 'publisher',
      moves: { 'awaiting-turn': ['scheduled'], unconfirmed: ['unconfirmed'] },
      clears: [],
    },
    /** The previous tweet failed. */
    breakThread: {
      by: 'publisher',
      moves: { 'awaiting-turn': ['failed'], scheduled: ['failed'], unconfirmed: ['outcome-unknown'] },
      clears: [...ofVersion, ...notSwept, 'capMonth'],
    },
    /** The platform still processes the media. */
    waitForMedia: { by: 'publisher', moves: { scheduled: ['scheduled'] }, clears: [] },
    /** One publisher claims the post and journals the attempt that it is about to make. */
    claim: { by: 'publisher', moves: { scheduled: ['publishing'] }, clears: ['mediaPendingSinceMs'] },
    /** One publisher claims the post to look up the outcome of its attempt. */
    claimToReconcile: {
      by: 'publisher',
      moves: { unconfirmed: ['reconciling'], 'earlier-unconfirmed': ['reconciling'] },
      clears: [],
    },
    /** The holder of the lease crashed. */
    expireLease: {
      by: 'time',
      moves: { publishing: ['scheduled', 'unconfirmed'], reconciling: ['unconfirmed', 'earlier-unconfirmed'] },
      clears: [],
    },
    /** The attempt certainly failed; another one follows. */
    retry: {
      by: 'publisher',
      moves: { publishing: ['scheduled'], reconciling: ['scheduled'] },
      clears: ['leaseUntilMs', 'attempt'],
    },
    /** The response to the attempt was lost: its outcome is looked up from now on. */
    startReconciling: { by: 'publisher', moves: { publishing: ['unconfirmed'] }, clears: ['leaseUntilMs'] },
    /** The outcome is still unknown: it is looked up again. */
    continueReconciling: {
      by: 'publisher',
      moves: { reconciling: ['unconfirmed', 'earlier-unconfirmed'] },
      clears: ['leaseUntilMs'],
    },
    publish: {
      by: 'publisher',
      moves: { publishing: ['published'], reconciling: ['published'] },
      clears: [...ofVersion, ...notSwept, 'attempt'],
    },
    /** A post that is certainly not live releases its slots in the cap on X. */
    fail: {
      by: 'publisher',
      moves: { scheduled: ['failed'], publishing: ['failed'], reconciling: ['failed'] },
      clears: [...ofVersion, ...notSwept, 'attempt', 'capMonth'],
    },
    /** It cannot be determined whether the attempt is live: it stays on record, and keeps its slots in the cap. */
    giveUp: { by: 'publisher', moves: { reconciling: ['outcome-unknown'] }, clears: [...ofVersion, ...notSwept] },
    /** The table was restored: the post may have been published since the time that it was restored to. */
    presumeSent: {
      by: 'operator',
      moves: {
        'awaiting-turn': ['unconfirmed'],
        scheduled: ['unconfirmed'],
        publishing: ['unconfirmed'],
        unconfirmed: ['unconfirmed'],
        'earlier-unconfirmed': ['unconfirmed'],
        reconciling: ['unconfirmed'],
      },
      clears: ['leaseUntilMs', 'dueAtMs'],
    },
    /** The live post was removed from its platform, or cannot be. */
    endLiveDeletion: { by: 'publisher', moves: { published: ['published'] }, clears: [] },
    /** The live post was edited at its platform, or cannot be. */
    endLiveEdit: { by: 'publisher', moves: { published: ['published'] }, clears: [] },
    /** The first comment of the live post is live, or cannot be. */
    endFirstComment: { by: 'publisher', moves: { published: ['published'] }, clears: [] },
    cancel: {
      by: 'author',
      moves: {
        scheduled: ['cancelled'],
        'awaiting-turn': ['cancelled'],
        'earlier-unconfirmed': ['cancelled'],
      },
      clears: [...ofVersion, ...notSwept, 'capMonth'],
    },
    /** The next version. An unreconciled attempt stays on record. */
    reschedule: {
      by: 'author',
      moves: {
        scheduled: ['scheduled'],
        'awaiting-turn': ['awaiting-turn'],
        'earlier-unconfirmed': ['earlier-unconfirmed'],
        failed: ['scheduled', 'awaiting-turn'],
        'outcome-unknown': ['earlier-unconfirmed'],
      },
      clears: [...ofVersion, 'reason', 'retrySafe'],
    },
    delete: {
      by: 'author',
      moves: {
        scheduled: ['deleted'],
        'awaiting-turn': ['deleted'],
        'earlier-unconfirmed': ['deleted'],
        published: ['deleted'],
        failed: ['deleted'],
        'outcome-unknown': ['deleted'],
        cancelled: ['deleted'],
      },
      clears: [],
    },
  },
})

/** What a retry clears in addition, depending on the platform's error. */
export const retryClears = {
  /** The platform no longer has the prepared media. */
  preparationGone: ['preparation'],
  /** Another post has used the key. */
  keyTaken: ['clientKey'],
} as const satisfies Record<string, readonly (keyof Post)[]>

export type TransitionName = keyof typeof postLifecycle.transitions
