import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigurationError } from './configuration-error.ts'

const folder = join(import.meta.dirname, '../stages')

/** The settings in the file of a stage, `infra/stages/<stage>.json`; none where there is no such file. */
export const readConfigurationFile = (stage: unknown, names: readonly string[]): Record<string, unknown> => {
  const path = join(folder, `${String(stage)}.json`)
  if (typeof stage !== 'string' || !/^[a-z0-9]+$/.test(stage) || !existsSync(path)) return {}
  const place = `infra/stages/${stage}.json`
  let settings: unknown
  try {
    settings = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new ConfigurationError(`${place} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    throw new ConfigurationError(`${place} must hold one object with the settings of the stage.`)
  }
  for (const name of Object.keys(settings)) {
    if (!names.includes(name))
      throw new ConfigurationError(
        `${place} has the setting "${name}", which does not exist. Settings: ${names.join(', ')}.`,
      )
  }
  return { ...settings }
}
