import type { Field } from '../pages/field.ts'
import { type PlatformId, platformIds } from '../resources.ts'
import type { PlatformDefinition } from './definition.ts'
import { definitionsById as byId } from './registry/definitions.ts'

/** The definitions of all platforms, for validation and the docs; they contain no code that publishes. */
export const definitions: readonly PlatformDefinition[] = Object.values(byId)

export const definitionOf = (id: PlatformId): PlatformDefinition => byId[id]

/** The details of an account that rules depend on. */
interface RuledAccount {
  platform: PlatformId
  details?: Readonly<Record<string, string | number>> | undefined
}

/** The definition of the platform of an account, with the rules of its server where servers have their own. */
export const definitionFor = ({ platform, details = {} }: RuledAccount): PlatformDefinition => {
  const definition = definitionOf(platform)
  return definition.rulesFor === undefined ? definition : { ...definition, rules: definition.rulesFor(details) }
}

/** The tier of an account at its platform, if a limit depends on it. */
export const tierFor = ({ details = {} }: Pick<RuledAccount, 'details'>): string | undefined => {
  const { tier } = details
  return tier === undefined ? undefined : String(tier)
}

/** The platforms whose accounts are connected by a login in a browser. */
export type BrowserPlatform = {
  [P in PlatformId]: (typeof byId)[P]['connect'] extends 'oauth' ? P : never
}[PlatformId]

/** The platforms whose accounts are connected by a form. */
export type FormPlatform = Exclude<PlatformId, BrowserPlatform>

export const isBrowserPlatform = (id: PlatformId): id is BrowserPlatform => byId[id].connect === 'oauth'

export const browserPlatforms: readonly BrowserPlatform[] = platformIds.filter(isBrowserPlatform)

/** The platforms whose accounts are at servers that people name, with a login in a browser there. */
export const serverPlatforms: readonly BrowserPlatform[] = browserPlatforms.filter(
  (id) => definitionOf(id).server !== undefined,
)

/** The inputs of the form that connects an account; without any, people log in at the platform itself. */
export const formFieldsOf = (id: PlatformId): readonly Field[] => {
  const { connect, server } = definitionOf(id)
  if (connect !== 'oauth') return connect.fields
  return server === undefined ? [] : [server]
}
