import { hourMs, minuteMs } from '../../shared/time.ts'
import { admin, listen } from './admins.ts'
import { author } from './authors.ts'
import { isUnfinished, violationsOf } from './check.ts'
import { type Draw, drawOf, withSeededRandomness } from './draw.ts'
import { canDie, type FaultRates, faultRatesOf, faultsOf, maxSkewMsOf, messageFaultsOf } from './faults.ts'
import { type Loop, makeLoop } from './loop.ts'
import { member } from './members.ts'
import { makePeople } from './people.ts'
import { isNextOf } from './releases.ts'
import { redrive, startWorld, type World } from './world.ts'

/** The result of one run. */
export interface Run {
  seed: number
  /** What did not hold at its end. */
  violations: readonly string[]
  /** Requests, faults, and violations, with their times. */
  timeline: readonly string[]
  /** The same with every effect and every line that functions logged. */
  trace: readonly string[]
  /** The names of its faults and callers, as `without` takes them. */
  names: readonly string[]
}

const startMs = Date.UTC(2030, 0, 1, 12)
/** How long people act and things go wrong; EventBridge Scheduler is used only in a long run. */
const lengthMsOf = (draw: Draw): number => (draw('length') < 0.7 ? 8 : 25) * minuteMs
/** Lookups of outcomes last six hours; the retries of webhooks last longer, but their receivers are well by then. */
const longestHours = 30

/** What can go wrong: nothing, only what queues and schedules do to messages, or all of it. */
export type FaultLevel = 'none' | 'messages' | 'all'

/** One seed in eight has no faults, and another one only those of messages: both must satisfy more invariants. */
const faultLevelOf = (seed: number): FaultLevel => (seed % 8 === 0 ? 'none' : seed % 8 === 4 ? 'messages' : 'all')

interface Play {
  seed: number
  without: ReadonlySet<string>
  draw: Draw
  loop: Loop
  folder: string
  nextRelease: string | undefined
  maxSkewMs: number
}

/** Ports and the time of the machine differ from run to run. */
const withoutChance = (text: string) =>
  text.replaceAll(/127\.0\.0\.1:\d+/g, 'localhost').replaceAll(/"timestamp":"[^"]*",/g, '')

/** Hour by hour, until nothing is left to do. An operator takes dead letters back to their queues. */
const finish = async (loop: Loop, world: World) => {
  for (let hour = 1; hour <= longestHours; hour += 1) {
    await loop.run(world.pollers, startMs + hour * hourMs)
    await redrive(world)
    if (hour > 1 && !(await isUnfinished(world))) return
  }
}

const play = async ({ seed, without, draw, loop, maxSkewMs, ...runOptions }: Play): Promise<Run> => {
  const timeline: string[] = []
  const trace: string[] = []
  const names: string[] = []
  const faultsEndAtMs = startMs + lengthMsOf(draw)
  const faultLevel = faultLevelOf(seed)
  const faultRates: FaultRates = faultLevel === 'all' ? faultRatesOf(draw) : {}
  const write = (line: string, isShown: boolean) => {
    const stamped = `${((loop.nowMs() - startMs) / 1000).toFixed(3).padStart(10)} s  ${withoutChance(line)}`
    trace.push(stamped)
    if (isShown) timeline.push(stamped)
  }
  const note = (line: string) => write(line, true)
  const violations: string[] = []
  const violate = (violation: string) => {
    violations.push(violation)
    note(`VIOLATION  ${violation}`)
  }
  note(`seed ${seed}; faults by effect: ${JSON.stringify(faultRates)}`)
  const messageFault = messageFaultsOf({
    draw,
    isOver: () => faultLevel === 'none' || loop.nowMs() >= faultsEndAtMs,
    without,
    names,
    note,
  })
  const observe = faultsOf({
    loop,
    draw,
    faultRates,
    faultsEndAtMs,
    scripts: () => world.service.platforms.faults,
    without,
    note({ name, effects, isNext }, { service, action }, fault) {
      write(
        `${name}${isNext ? ' (next)' : ''}  ${service} ${action}${fault === undefined ? '' : `  ** ${fault} **`}`,
        fault !== undefined,
      )
      if (fault !== undefined) names.push(`${name} effect ${effects}`)
    },
  })
  const errors: string[] = []
  const log = (line: string) => {
    write(`${loop.task()?.name ?? 'service'}  logs ${line}`, false)
    if (line.includes('"level":"error"')) errors.push(withoutChance(line))
  }
  const world: World = await startWorld({ loop, draw, ...runOptions, observe, messageFault, log })
  const { service, tenants, pollers } = world
  try {
    const people = makePeople({
      loop,
      draw,
      baseUrl: service.baseUrl,
      tenants,
      endMs: faultsEndAtMs,
      without,
      note: (line) => note(`REQUEST  ${line}`),
      violate,
    })
    const acts = tenants.flatMap((tenant) => {
      const named = (title: string, max: number) =>
        Array.from(
          { length: Math.floor(draw(`${tenant.name} ${title}s`) * (max + 1)) },
          (_, n) => `${tenant.name} ${title} ${n + 1}`,
        )
      return [
        ...[`${tenant.name} post 0`, ...named('post', 3)].map((name) => ({
          name,
          run: () => author(people, tenant, name),
        })),
        ...named('admin', 2).map((name) => ({ name, run: () => admin(people, { service, tenant, name }) })),
        ...named('member', 1).map((name) => ({ name, run: () => member(people, { service, tenant, name }) })),
      ]
    })
    const drive = (goal: Promise<unknown>) => loop.run(pollers, startMs + longestHours * hourMs, goal).then(() => goal)
    await drive(Promise.all(tenants.map((tenant) => listen(people, tenant, service.inboxUrl, tenant.name))))
    names.push(...acts.map(({ name }) => name))
    await drive(Promise.all(acts.filter(({ name }) => !without.has(name)).map(({ run }) => run())))
    await loop.run(pollers, faultsEndAtMs)
    await finish(loop, world)
    const ended = { ...world, people, errors, faultLevel, canDie: canDie(faultRates), maxSkewMs }
    for (const violation of await violationsOf(ended)) violate(violation)
  } finally {
    await service.close()
  }
  return { seed, violations, timeline, trace, names }
}

export interface RunOptions {
  /** The folder of the templates and files that are synthesized once (test/support/assembly.ts). */
  folder: string
  /** The folder of the next release (test/support/next-release.ts). */
  nextRelease: string
  /** Names of faults and people that are left out. */
  without?: ReadonlySet<string>
}

/** Runs the simulation of a seed; the same seed gives the same run. */
export const runSimulation = async (
  seed: number,
  { folder, nextRelease, without = new Set() }: RunOptions,
): Promise<Run> => {
  const draw = drawOf(seed)
  const maxSkewMs = faultLevelOf(seed) === 'none' ? 0 : maxSkewMsOf(draw)
  const isNext = isNextOf(draw, startMs)
  const loop = makeLoop(startMs, (taskName) => (draw(`skew of ${taskName}`) * 2 - 1) * maxSkewMs, isNext)
  const whose = () => loop.task()?.name ?? 'the service'
  try {
    return await withSeededRandomness(draw, whose, () =>
      play({ seed, without, draw, loop, folder, maxSkewMs, nextRelease: isNext && nextRelease }),
    )
  } finally {
    loop.close()
  }
}
