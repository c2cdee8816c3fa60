import { dayOf } from '../day.ts'
import { labelOf } from '../messages.ts'
import { Properties } from '../parts.tsx'
import { api, workspace } from '../store.ts'
import { Listing } from '../table.tsx'
import { formatDuration } from '../time.ts'
import { useRead } from '../use-read.ts'

const dollars = (microUsd: number): string => `$${(microUsd / 1_000_000).toFixed(2)}`

/** Quotas whose names have a unit. */
const measured: Readonly<Record<string, { label: string; amount: (value: number) => string }>> = {
  storageBytes: { label: 'Storage', amount: (bytes) => `${(bytes / 2 ** 30).toFixed(1)} GiB` },
  uploadMebibytes: { label: 'Uploads', amount: (mebibytes) => `${mebibytes.toLocaleString('en-US')} MiB` },
}

const amount = (name: string, value: number): string => measured[name]?.amount(value) ?? value.toLocaleString('en-US')

const Quotas = () => {
  const id = workspace.value?.id ?? ''
  return (
    <Listing
      label="Quotas"
      empty="No limits."
      read={async () => (await api().workspaces.listQuotas(id)).quotas}
      keys={[id]}
      keyOf={({ name }) => name}
      columns={() => [
        { name: 'Limit on', cell: ({ name }) => measured[name]?.label ?? labelOf(name) },
        { name: 'Per', cell: ({ per }) => per },
        { name: 'Used', cell: ({ name, used }) => (used === null ? '–' : amount(name, used)) },
        { name: 'Limit', cell: ({ name, limit }) => amount(name, limit) },
        {
          name: 'Resets in',
          cell: ({ windowSeconds }) => (windowSeconds === undefined ? '—' : formatDuration(windowSeconds * 1_000)),
        },
      ]}
    />
  )
}

const OnX = () => {
  const [usage] = useRead(() => api().posts.xCapUsage(), [workspace.value?.id])
  if (usage === undefined) return null
  const { used, limit, resetsAt } = usage
  return <Properties values={{ 'Posts to X this month': `${used} of ${limit}`, Resets: dayOf(resetsAt) }} />
}

const Ai = () => {
  const [usage] = useRead(() => api().ai.getUsage(), [workspace.value?.id])
  if (usage === undefined) return null
  const { usedMicroUsd, reservedMicroUsd, limitMicroUsd, resetsAt, byKind } = usage
  const kindOf = ({ calls, microUsd }: typeof byKind.text | typeof byKind.speech) =>
    `${calls} calls, ${dollars(microUsd)}`
  return (
    <Properties
      values={{
        'Used this month': `${dollars(usedMicroUsd)} of ${limitMicroUsd === null ? 'no limit' : dollars(limitMicroUsd)}`,
        'In progress': dollars(reservedMicroUsd),
        Texts: kindOf(byKind.text),
        Speech: kindOf(byKind.speech),
        Resets: dayOf(resetsAt),
      }}
    />
  )
}

export const UsageSection = () => (
  <>
    <Quotas />
    <h2>X</h2>
    <OnX />
    <h2>AI</h2>
    <Ai />
  </>
)
