import { InvalidArgumentError, Option } from 'commander'
import { type PlatformId, platformIds } from '../../../../shared/resources.ts'

/** An option that can be repeated, or take several values separated by commas. */
export const listOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((text: string, before: readonly string[] | undefined) => [
    ...(before ?? []),
    ...text
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  ])

/** An option that can be repeated; its value is not parsed. */
export const repeatedOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((text: string, before: readonly string[] | undefined) => [
    ...(before ?? []),
    text,
  ])

export const wholeNumber =
  (least: number, max: number) =>
  (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= max) return value
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${max}.`)
  }

export const limitOption = (standard: number): Option =>
  new Option('-n, --limit <number>', 'the most to show').default(standard).argParser(wholeNumber(1, 10_000))

export const zoneOption = (): Option => new Option('--zone <zone>', 'time zone of the times, such as Europe/Berlin')

/** A platform by its ID, in any case. */
const platformNamed = (text: string): PlatformId => {
  const platform = platformIds.find((id) => id === text.toLowerCase())
  if (platform !== undefined) return platform
  throw new InvalidArgumentError(`Allowed choices are ${platformIds.join(', ')}.`)
}

export const platformOption = (flags: string, description: string): Option =>
  new Option(flags, description).choices(platformIds).argParser(platformNamed)
