import { gunzipSync } from 'node:zlib'
import type { Item } from '../../../../shared/db/table.ts'
import type { Kit } from '../../start.ts'
import { scanTable } from '../rows.ts'
import { makeScanner } from './scan.ts'
import type { Secret } from './secret.ts'
import type { Exchanged } from './traffic.ts'

const isZipped = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b

/** All that a row holds as text, packed answers unpacked. */
const textOfRow = (row: Item): string =>
  JSON.stringify(row, (_, value: unknown) => {
    if (!(value instanceof Uint8Array)) return value
    return isZipped(value) ? gunzipSync(value).toString('utf8') : Buffer.from(value).toString('base64')
  })

const shown = ({ kind, name, text }: Secret) => `the ${kind} "${name}" (${text.slice(0, 12)}…)`

/** A page shows the key of its visitor, and again what they brought along, but no password. */
const isForVisitor = ({ kind, text }: Secret, { requestText, isPage }: Exchanged) => {
  if (!isPage || kind === 'form key') return isPage
  const brought = requestText.includes(text) || requestText.includes(encodeURIComponent(text))
  return brought && (kind === 'link' || kind === 'code')
}

/** How often an answer may hold a secret of this kind: once where answers hand it out. */
const timesInAnswers = ({ kind }: Secret) => (['password', 'ours', 'form key', 'device'].includes(kind) ? 0 : 1)

/** A line for each secret that lies where it must not: in rows, log lines, mails or more than one answer. */
export const findLeaks = async (
  kit: Kit,
  secrets: readonly Secret[],
  exchanged: readonly Exchanged[],
): Promise<string[]> => {
  const secretsOf = makeScanner(secrets)
  const rows = await scanTable(kit)
  const inRows = rows.flatMap((row) =>
    [...secretsOf(textOfRow(row))]
      .filter(({ kind }) => !(kind === 'device' && row['type'] === 'NotificationProfile'))
      .map((secret) => `the row ${row['PK']} ${row['SK']} holds ${shown(secret)}`),
  )
  const inLog = kit.logged.flatMap((line) =>
    [...secretsOf(line)].map((secret) => `a log line holds ${shown(secret)}: ${line}`),
  )
  const inMails = kit.mail
    .outbox()
    .flatMap(({ subject, text }) => [...secretsOf(`${subject}\n${text}`)])
    .filter(({ kind }) => kind !== 'link')
    .map((secret) => `a mail holds ${shown(secret)}`)
  const seen = new Map<Secret, string[]>()
  for (const exchange of exchanged) {
    for (const secret of secretsOf(exchange.answered)) {
      if (isForVisitor(secret, exchange)) continue
      seen.set(secret, [...(seen.get(secret) ?? []), exchange.url.pathname])
    }
  }
  const inAnswers = [...seen]
    .filter(([secret, paths]) => paths.length > timesInAnswers(secret))
    .map(([secret, paths]) => `${paths.length} answers (${paths.join(', ')}) hold ${shown(secret)}`)
  return [...inRows, ...inLog, ...inMails, ...inAnswers]
}
