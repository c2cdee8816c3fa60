import { definitions } from '../../platforms/definitions.ts'

/** The names of the platforms with threads. */
export const threadPlatforms = definitions.filter(({ threads }) => threads).map(({ name }) => name)

/** The platforms as "one of them", in a sentence. */
export const anyThreadPlatform = new Intl.ListFormat('en', { type: 'disjunction' }).format(threadPlatforms)
