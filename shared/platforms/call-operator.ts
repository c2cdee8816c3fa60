import { type Context, type LogFields, measured } from '../context.ts'
import type { PlatformId } from '../resources.ts'
import type { PlatformError } from './platform-error.ts'

/** Logs and measures an error that only the operator can fix: it fires the alarm `operator-action-needed`. */
export const callOperator = (
  ctx: Context,
  { info, message: reason }: PlatformError,
  about: LogFields & { platform: PlatformId },
): void => {
  if (!info.operator) return
  const metric = measured(ctx, { name: 'OperatorActionNeeded', value: 1, by: { platform: about.platform } })
  ctx.log.error('operator action needed', { ...about, reason, ...metric })
}
