import { defineLifecycle } from '../../db/lifecycle.ts'
import { healths } from './row.ts'

/** The attributes that belong to one state. */
const ofState = ['recheckCount', 'probeCount', 'recovery', 'drained'] as const
/** The attributes that belong to one outage. */
const ofOutage = ['failingSinceMs', 'lastNoticeHours'] as const

/** From every state to this one. */
const fromEvery = <const To extends string>(to: To) => ({
  active: [to],
  slow: [to],
  failing: [to],
  recovering: [to],
  disabled: [to],
})

/**
 * Everything that changes the health of an endpoint: the actor, the states before and after, and the attributes that it
 * clears.
 */
export const healthLifecycle = defineLifecycle({
  entity: healths,
  attribute: 'state',
  states: { active: 'active', slow: 'slow', failing: 'failing', recovering: 'recovering', disabled: 'disabled' },
  transitions: {
    /** An attempt failed, and the endpoint keeps its state. */
    countFailure: {
      by: 'delivery',
      moves: {
        active: ['active'],
        slow: ['slow'],
        failing: ['failing'],
        recovering: ['recovering'],
        disabled: ['disabled'],
      },
      clears: [],
    },
    /** The fifth attempt in a row failed. */
    fail: {
      by: 'delivery',
      moves: { active: ['failing'], slow: ['failing'], recovering: ['failing'] },
      clears: ['recheckCount', 'recovery'],
    },
    /** A response takes longer than two seconds. */
    markSlow: { by: 'delivery', moves: { active: ['slow'] }, clears: ['recheckCount'] },
    /** An attempt succeeded after failed ones. */
    succeed: {
      by: 'delivery',
      moves: { active: ['active'], slow: ['slow'], recovering: ['recovering'], disabled: ['disabled'] },
      clears: ofOutage,
    },
    /** A probe or a test succeeded. */
    startRecovery: { by: 'delivery', moves: { failing: ['recovering'] }, clears: ['probeCount', ...ofOutage] },
    /** The drain took a step and plans the next one. */
    continue: {
      by: 'drain',
      moves: { active: ['active'], slow: ['slow'], failing: ['failing'], recovering: ['recovering'] },
      clears: [],
    },
    /** No delivery is waiting. */
    recheck: { by: 'drain', moves: { active: ['active'] }, clears: [] },
    /** A probe failed. */
    probe: { by: 'drain', moves: { failing: ['failing'] }, clears: [] },
    /** A parked delivery failed: the rate starts again from the lowest. */
    restartRamp: { by: 'drain', moves: { recovering: ['recovering'] }, clears: [] },
    /** No delivery is waiting; or responses are fast again; or the endpoint was enabled again during a drain. */
    recover: {
      by: 'drain',
      moves: { slow: ['active'], failing: ['active'], recovering: ['active'], disabled: ['active'] },
      clears: ofState,
    },
    /** The endpoint is disabled or deleted: the drain discards waiting deliveries. */
    discard: {
      by: 'drain',
      moves: fromEvery('disabled'),
      clears: ['recheckCount', 'probeCount', 'recovery'],
    },
    /** The receiver returned 410, or no delivery succeeded for five days. */
    disable: {
      by: 'delivery',
      moves: fromEvery('disabled'),
      clears: [...ofState, ...ofOutage],
    },
    /** A user changed the URL or enabled the endpoint: waiting deliveries are sent to it. */
    restart: {
      by: 'user',
      moves: fromEvery('recovering'),
      clears: ['recheckCount', 'probeCount', 'drained', ...ofOutage],
    },
    /** Nothing changed for 30 days. */
    expire: {
      by: 'time',
      moves: {
        active: ['deleted'],
        slow: ['deleted'],
        failing: ['deleted'],
        recovering: ['deleted'],
        disabled: ['deleted'],
      },
      clears: [],
    },
  },
})

export type HealthTransition = keyof typeof healthLifecycle.transitions
