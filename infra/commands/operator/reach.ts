import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { type Context, makeContext } from '../../../shared/context.ts'
import { holderOf } from '../../local/start/hold-socket.ts'
import { layoutOf } from '../../local/start/layout.ts'
import { defaultState } from '../../local/start/options.ts'
import { Stop } from '../../local/stop.ts'

/** If a table, a secret, or a stage is named, a command works on AWS, otherwise on the local service. */
export const reach = async (state: string = process.env['STATE'] ?? defaultState): Promise<Context> => {
  const { TABLE_NAME, TOKEN_KEYS_SECRET, PUSH_SECRETS_PREFIX } = process.env
  if (TABLE_NAME || TOKEN_KEYS_SECRET || PUSH_SECRETS_PREFIX) return makeContext(process.env)
  const { claim, operator } = layoutOf(resolve(state))
  if ((await holderOf(claim)) === undefined) {
    throw new Stop(
      'No service runs here: start it first, or set TABLE_NAME or TOKEN_KEYS_SECRET and the credentials of the AWS account.',
    )
  }
  const text = readFileSync(operator, 'utf8')
  Object.assign(process.env, z.parse(z.record(z.string(), z.string()), JSON.parse(text)))
  return makeContext(process.env)
}
