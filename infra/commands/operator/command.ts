export const options = {
  'no-access': { type: 'boolean' },
  'x-cap': { type: 'string' },
  quota: { type: 'string', multiple: true },
  state: { type: 'string' },
  'remove-previous': { type: 'boolean', default: false },
  'end-tokens': { type: 'boolean', default: false },
  stage: { type: 'string' },
  intake: { type: 'boolean' },
  platform: { type: 'string' },
  workspace: { type: 'string' },
  reason: { type: 'string' },
  rate: { type: 'string' },
  log: { type: 'string' },
  keep: { type: 'string' },
  'key-file': { type: 'string' },
} as const

type Options = typeof options

/** The values of the options. */
export type Values = {
  [Name in keyof Options]?: Options[Name] extends { multiple: true }
    ? string[]
    : Options[Name] extends { type: 'string' }
      ? string
      : boolean
}

export interface Command {
  /** What follows its name; each part in angle brackets before the first option is an argument. */
  usage: string
  /** Does it, and returns a sentence; undefined if the options are wrong. Throws a Stop with what to fix. */
  run(values: Values, ...args: string[]): Promise<string | undefined>
}
