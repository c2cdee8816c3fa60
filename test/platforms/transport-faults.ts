/** Faults between the service and any platform that leave the outcome of the publishing call unknown. */
export const transportFaults = [
  ['500', { fault: 'status', status: 500 }, 'unknown', { httpStatus: 500 }],
  ['502', { fault: 'status', status: 502 }, 'unknown', { httpStatus: 502 }],
  ['503 as an HTML page', { fault: 'html_503' }, 'unknown', { httpStatus: 503 }],
  ['408', { fault: 'status', status: 408 }, 'unknown', { httpStatus: 408 }],
  ['a redirect', { fault: 'status', status: 302 }, 'unknown', { httpStatus: 302 }],
  ['a reset before the call takes effect', { fault: 'reset_before' }, 'unknown', { detail: 'reset' }],
] as const

/** The same where the call has taken effect: the post is live, and the response is lost. */
export const lostResponses = [
  ['500 after the call took effect', { fault: 'status', status: 500, landed: true }, 'unknown', { httpStatus: 500 }],
  ['a reset after the call took effect', { fault: 'landed_then_reset' }, 'unknown', { detail: 'reset' }],
  ['an unexpected response body', { fault: 'wrong_json' }, 'unknown', { httpStatus: 200 }],
] as const
