import { join } from 'node:path'

/** The layout of the state folder. */
export const layoutOf = (folder: string) => ({
  /** The state of engines, stand-ins and inbox. */
  engines: join(folder, 'engines'),
  ports: join(folder, 'ports.json'),
  /** What the demo remembers. */
  demo: join(folder, 'demo.json'),
  /** How far the clock was moved. */
  clock: join(folder, 'clock.json'),
  log: join(folder, 'service.log'),
  /** Where everything is, for programs; only while the service is up. */
  service: join(folder, 'service.json'),
  /** What "npm run listen" leaves to its next start. */
  listen: join(folder, 'listen.json'),
  /** How an operator's command reaches the engines; only while they run. */
  operator: join(folder, 'operator.json'),
  /** The format of the state, and the release that wrote it. */
  format: join(folder, 'format.json'),
  /** Held while a service runs on the folder. */
  claim: join(folder, 'running.sock'),
  /** Held while a backup is made. */
  backup: join(folder, 'backup.sock'),
  /** Held while bundles and templates are built. */
  building: join(folder, 'building.sock'),
})

export type Layout = ReturnType<typeof layoutOf>
