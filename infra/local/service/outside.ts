import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { Clock, Context } from '../../../shared/context.ts'
import type { Variable } from '../../../shared/resources.ts'
import type { Authority } from '../iam/authority.ts'
import type { Closing } from './closing.ts'
import type { Engines } from './engines.ts'
import type { Environment } from './environment.ts'
import type { Hosts } from './hosts.ts'

/** What the outside starts from: the engines run, the functions do not yet. */
export interface OutsideParts {
  clock: Clock
  folder: string | undefined
  engines: Engines
  authority: Authority
  hosts: Hosts
  /** The variables of the templates. */
  deployed: Environment
  /** An operator's context with them. */
  context: Context
  report(name: string, error: unknown): void
}

/** What a service meets outside of the engines of AWS: stand-ins on this machine, or the internet. */
export interface Outside {
  /** Variables of functions that differ from the templates. */
  variables: Partial<Record<Variable, string>>
  /** The settings of an AI provider, from those of the templates; undefined for every other variable. */
  aiOf(name: string, deployed: string): string | undefined
  /** Variables by which SDK clients find services of AWS that have no engine. */
  sdk: Environment
  /** Local pages by name, for the navigation of the console. */
  pages?(): Readonly<Record<string, string | undefined>>
  /** Receives every response of the API. */
  seeAnswer?(event: APIGatewayProxyEvent, answer: unknown): Promise<void>
}

export type StartOutside<O extends Outside> = (parts: OutsideParts, closing: Closing) => Promise<O>
