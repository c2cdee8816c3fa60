/** From when on the lateness of posts is an alarm, on AWS and on one machine. */
export const latenessAlarmMs = 60_000

/** From when on posts that wait for their platform are an alarm. */
export const delayAlarmMs = 300_000
