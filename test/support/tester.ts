import { systemActor } from '../../shared/audit/actor.ts'

/** Who makes the changes that tests prepare. */
export const tester = systemActor('tests')
