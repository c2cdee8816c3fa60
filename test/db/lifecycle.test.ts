import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { entity } from '../../shared/db/entity.ts'
import { equal } from '../../shared/db/expression.ts'
import { defineLifecycle } from '../../shared/db/lifecycle.ts'

const doors = entity({
  type: 'Door',
  shape: z.object({ id: z.string(), status: z.enum(['open', 'closed']), key: z.optional(z.string()) }),
  key: ({ id }: { id: string }) => ({ PK: id, SK: id }),
})

const states = { open: 'open', closed: 'closed', locked: 'closed' } as const

const door = defineLifecycle({
  entity: doors,
  attribute: 'status',
  states,
  transitions: {
    close: { by: 'user', moves: { open: ['closed'] }, clears: [] },
    lock: { by: 'user', moves: { closed: ['locked'] }, clears: [] },
    open: { by: 'user', moves: { closed: ['open'] }, clears: ['key'] },
    knock: { by: 'user', moves: { open: ['open'], closed: ['closed'] }, clears: [] },
  },
})

test('a transition sets the status that the table says, and only where it changes it', () => {
  expect(door.change('open', {})).toEqual({ set: { status: 'open' }, remove: ['key'] })
  expect(door.change('lock', { set: { key: 'k' } })).toEqual({ set: { key: 'k' }, remove: [] })
  expect(door.write('close', { id: 'd' }, {}, equal('status', 'open'))).toEqual({
    update: { PK: 'd', SK: 'd' },
    change: { set: { status: 'closed' }, remove: [] },
    when: equal('status', 'open'),
  })
})

test('the status after a transition is a literal type', () => {
  const status: 'closed' = door.to('close')
  expect(status).toBe('closed')
  // @ts-expect-error the table knows no other target
  const other: 'open' = door.to('lock')
  expect(other).toBe('closed')
  expect(() => door.to('knock')).toThrow('knock does not lead to one status')
})

test('a write that the table does not know does not compile', () => {
  // @ts-expect-error the status follows from the transition
  expect(door.change('close', { set: { status: 'open' } }).set).toEqual({ status: 'closed' })
  // @ts-expect-error the table has no such transition
  expect(() => door.change('paint', {})).toThrow()
})

test('a table that names an unknown state or attribute does not compile', () => {
  const spec = { entity: doors, attribute: 'status', states } as const
  // @ts-expect-error no state `ajar` to come from
  defineLifecycle({ ...spec, transitions: { open: { by: 'user', moves: { ajar: ['open'] }, clears: [] } } })
  // @ts-expect-error no state `ajar` to lead to
  defineLifecycle({ ...spec, transitions: { open: { by: 'user', moves: { closed: ['ajar'] }, clears: [] } } })
  // @ts-expect-error no attribute `handle` to clear
  defineLifecycle({ ...spec, transitions: { open: { by: 'user', moves: { closed: ['open'] }, clears: ['handle'] } } })
  // @ts-expect-error no value `ajar` of the status
  defineLifecycle({ ...spec, states: { open: 'ajar' }, transitions: {} })
})

test('a transition that changes the status leads to one', () => {
  const transitions = { slam: { by: 'user', moves: { open: ['closed', 'open'] }, clears: [] } } as const
  const slammed = defineLifecycle({ entity: doors, attribute: 'status', states, transitions })
  expect(() => slammed.change('slam', {})).toThrow('slam does not lead to one status')
})
