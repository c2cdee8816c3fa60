/** The parts of the pipeline that can be switched off one by one, to see what each protects. */
export const allParts = {
  /** The claim of a fresh post journals the attempt in the same write (rule 2); off: two writes. */
  mergedClaim: true,
  /** The attempt is written before the call. */
  journal: true,
  /** Claim and preparation work only for the row's own version. */
  versionCheck: true,
  /** A claim is refused while another lease runs. */
  leaseCheck: true,
  /** Journal and commit are written only by the holder of the lease. */
  fence: true,
  /** Function timeout < lease (rule 2). */
  leaseOutlivesCall: true,
  /** A negative probe counts only after the settle window. */
  settleWindow: true,
  /** An unsettled attempt stays on the row when the post is rescheduled (rule 3). */
  keepAttempt: true,
  /** Where a platform refuses repeats for a while only, nothing is repeated once that while nears its end. */
  repeatWindow: true,
  /** An unsettled attempt is settled under the key or artefact it was sent with (rule 3). */
  oldKey: true,
  /** A post whose last allowed claim died is an internal error only if nothing was journaled (rule 3). */
  settleDeadClaims: true,
  /** Cancel and reschedule are refused while a publish is in flight. */
  refuseInFlight: true,
  /** The call waits until T, however early the timer sweepCount (rule 1). */
  waitForTime: true,
  /** Only an artefact of the claimed version is used (rule 7). */
  artefactOfVersion: true,
  /** The first prepared artefact of a version stays (rule 7). */
  firstWriterWins: true,
  /** An expired artefact is replaced only while no attempt is unsettled (rule 7). */
  replaceOnlySettled: true,
  /** A refused preparation fails the post only while it is unclaimed and settled. */
  guardedPrepareFailure: true,
  /** What is overdue is sent again (rule 4). */
  sweeper: true,
  /** The event is written in the transaction that changes the state. */
  outbox: true,
}

export type Parts = typeof allParts
export type Part = keyof Parts
