/** What cannot be measured on one machine, by name. The command prints it. */
export const assumptions = {
  hoursPerMonth: 730,
  /** Lambda guide, "Configuring scaling behavior for SQS event source mappings" (read 2026-11-22). */
  pollersOfIdleQueue: { withoutLimit: 2, withLimit: 5 },
  /** A long poll of SQS waits at most 20 s. */
  secondsPerPoll: 20,
  /** How long an idle run of the sweeper takes; its memory and its reads come from the template. */
  idleSweepMs: 150,
  /** The average duration of one call; concurrent calls count once. */
  callMs: {
    dynamodb: 6,
    sqs: 10,
    scheduler: 50,
    s3: 30,
    kms: 10,
    secretsmanager: 20,
    events: 25,
    ses: 60,
    platform: 400,
    webhook: 200,
  },
  /**
   * One full processor at this memory, and a share of it below (Lambda guide, "Configure memory"). Not measured: this
   * machine has whole processors.
   */
  fullProcessorMb: 1769,
  /** Invocations that start a new environment, and how long its start is billed. */
  coldStarts: { share: 0.01, ms: 500 },
  /** One line of the access log, and what CloudWatch adds to each line. */
  accessLogBytes: 300,
} as const

type CallKind = keyof typeof assumptions.callMs

/** The duration of a call to a service. Everything that is not AWS is a platform or a receiver of webhooks. */
export const callMsOf = (service: string): number => {
  const { callMs } = assumptions
  return callMs[service in callMs ? (service as CallKind) : 'platform']
}
