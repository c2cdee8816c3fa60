/** Structured lines for people and alarms; callers pass named facts, never bodies, tokens, or headers. */
export interface Log {
  info(message: string, facts?: Facts): void
  warn(message: string, facts?: Facts): void
  error(message: string, facts?: Facts): void
}

type Facts = Readonly<Record<string, string | number | boolean | undefined>>

const secretShapes =
  /svc_(?:pat|ses|oat|ort|oac)_[0-9A-Za-z_]+|whsec_[0-9A-Za-z+/=]+|Bearer \S+|Bot \S+|X-Amz-Signature=\w+/g

/**
 * Writes one JSON line per call; redacts anything that looks like one of our secrets. `level` and `timestamp` are the names
 * by which Lambda knows them (Lambda guide, "Log-level filtering").
 */
export const jsonLog = (write: (line: string) => void = (line) => process.stdout.write(`${line}\n`)): Log => {
  const line =
    (level: string) =>
    (message: string, facts: Facts = {}) =>
      write(
        JSON.stringify({ level, timestamp: new Date().toISOString(), message, ...facts }).replace(
          secretShapes,
          '[secret]',
        ),
      )
  return { info: line('info'), warn: line('warn'), error: line('error') }
}
