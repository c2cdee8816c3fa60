import { auditActions, auditTargets } from '../../../../shared/audit/actions.ts'
import { startOf } from '../day.ts'
import { labelOf } from '../messages.ts'
import { Empty, Filter, Loading } from '../parts.tsx'
import { go, route, to } from '../route.ts'
import { api, workspace, zone } from '../store.ts'
import { Table } from '../table.tsx'
import { addDays, formatMoment } from '../time.ts'
import { useRead } from '../use-read.ts'

type Entry = Awaited<ReturnType<ReturnType<typeof api>['workspaces']['listAudit']>>['items'][number]

const filters = ['action', 'actorId', 'targetType', 'targetId', 'from', 'to', 'cursor'] as const

const queryOf = () => {
  const { query } = route.value
  return Object.fromEntries(filters.map((name) => [name, query.get(name) ?? undefined]))
}

const valueText = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value ?? '—'))

const Details = ({ entry: { before, after } }: { entry: Entry }) => {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return (
    <>
      {names.map((name) => (
        <div key={name}>
          {labelOf(name)}:{' '}
          <code>
            {name in before && `${valueText(before[name])} → `}
            {valueText(after[name])}
          </code>
        </div>
      ))}
    </>
  )
}

const columns = [
  { name: 'When', cell: ({ createdAt }: Entry) => formatMoment(Date.parse(createdAt), zone.value) },
  {
    name: 'Person',
    cell: ({ actor, credential }: Entry) =>
      `${actor.name ?? actor.email ?? actor.userId ?? 'The service'} (${credential.type})`,
  },
  { name: 'Action', cell: ({ action }: Entry) => <code>{action}</code> },
  {
    name: 'Item',
    cell: ({ target: { type, id } }: Entry) => (
      <a href={to('settings/audit', { targetId: id })}>
        {labelOf(type)} <code>{id}</code>
      </a>
    ),
  },
  { name: 'Details', cell: (entry: Entry) => <Details entry={entry} /> },
]

export const AuditSection = () => {
  const id = workspace.value?.id ?? ''
  const query = queryOf()
  const set = (values: Record<string, string>) =>
    go(to('settings/audit', { ...query, cursor: undefined, ...values }), { replace: true })
  const [people] = useRead(() => api().team.listMembers(id, { limit: 200 }), [id])
  const [page] = useRead(() => {
    const { from, to: last, ...rest } = query
    const until = last && startOf(addDays(last, 1))
    return api().workspaces.listAudit(id, { ...rest, from: from && startOf(from), to: until, limit: 50 })
  }, [id, query])
  const day = (name: 'from' | 'to', label: string) => (
    <label>
      {label}
      <input type="date" value={query[name]} onChange={({ currentTarget }) => set({ [name]: currentTarget.value })} />
    </label>
  )
  const filter = (name: string, label: string, ids: readonly { id: string; name: string }[]) => (
    <Filter
      {...{ label, choices: ids, all: `${label}: all` }}
      value={query[name] ?? ''}
      onChange={(value) => set({ [name]: value })}
    />
  )
  return (
    <>
      <search class="filters">
        {filter(
          'actorId',
          'Person',
          people?.items.map(({ userId, name }) => ({ id: userId, name: name ?? userId })) ?? [],
        )}
        {filter(
          'action',
          'Change',
          Object.keys(auditActions).map((name) => ({ id: name, name })),
        )}
        {filter(
          'targetType',
          'Object',
          auditTargets.map((name) => ({ id: name, name })),
        )}
        {day('from', 'From')}
        {day('to', 'To')}
      </search>
      {query['targetId'] !== undefined && (
        <p>
          Only changes of <code>{query['targetId']}</code>. <a href={to('settings/audit')}>Show all changes</a>
        </p>
      )}
      {page === undefined ? (
        <Loading />
      ) : page.items.length === 0 ? (
        <Empty>Nothing matches.</Empty>
      ) : (
        <Table label="Audit trail" columns={columns} rows={page.items} keyOf={(entry) => entry.id} />
      )}
      {page?.nextCursor && (
        <p class="actions">
          <a class="button" href={to('settings/audit', { ...query, cursor: page.nextCursor })}>
            Older entries
          </a>
        </p>
      )}
    </>
  )
}
