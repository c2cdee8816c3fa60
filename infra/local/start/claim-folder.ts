import { mkdirSync } from 'node:fs'
import { reasonOf, Stop } from '../stop.ts'
import { holderOf, holdSocket } from './hold-socket.ts'
import { layoutOf } from './layout.ts'

/** Creates the state folder and locks it while this process lives: two services on one state would both publish its posts. */
export const claimFolder = async (folder: string): Promise<void> => {
  const { claim } = layoutOf(folder)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const release = await holdSocket(claim)
    if (release !== undefined) return void process.once('exit', release)
  } catch (error) {
    throw new Stop(`The state folder ${folder} cannot be used: ${reasonOf(error)}.`)
  }
  throw new Stop(`A service runs on ${folder} already, as process ${await holderOf(claim)}: stop it first.`)
}
