/** The worker of topics and pushes (functions/workers/notify.ts). */
export const notifyWorker = { queue: 'notify', timeoutSeconds: 45 } as const
