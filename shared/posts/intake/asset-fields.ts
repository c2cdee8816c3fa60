import { definitions } from '../../platforms/definitions.ts'

/** The assets that a platform's metadata block names, by field; skips fields that are absent or not text. */
export const assetReferences = (platform: string, block: unknown): Record<string, string> => {
  const fields = definitions.find(({ id }) => id === platform)?.rules.assetFields ?? {}
  if (typeof block !== 'object' || block === null) return {}
  const entries = Object.keys(fields).map((field) => [field, (block as Readonly<Record<string, unknown>>)[field]])
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string' && value !== ''))
}
