import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../net/free-port.ts'

/** A real PDS with its own PLC directory, on 127.0.0.1 only. */
export interface RunningPds {
  url: string
  close(): Promise<void>
}

const require = createRequire(import.meta.url)

const listen = async (server: Server, port: number): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  // A TCP server's address is never a pipe's.
  return (server.address() as AddressInfo).port
}

const secret = () => randomBytes(32).toString('hex')

/** Starts the PDS with state in a temporary folder that goes with it. */
export const launchPds = async (): Promise<RunningPds> => {
  process.env['LOG_ENABLED'] = '0'
  const { PDS, envToCfg, envToSecrets } = require('@atproto/pds')
  const { PlcServer, Database } = require('@did-plc/server')
  const folder = await mkdtemp(join(tmpdir(), 'pds-'))
  await mkdir(join(folder, 'blobs'))
  const plc = PlcServer.create({ db: Database.mock(), port: 0 })
  const plcServer = createServer(plc.app)
  const plcPort = await listen(plcServer, 0)
  const port = await freePort()
  const env = {
    devMode: true,
    hostname: 'localhost',
    port,
    dataDirectory: folder,
    blobstoreDiskLocation: join(folder, 'blobs'),
    didPlcUrl: `http://localhost:${plcPort}`,
    adminPassword: secret(),
    jwtSecret: secret(),
    dpopSecret: secret(),
    plcRotationKeyK256PrivateKeyHex: secret(),
    serviceHandleDomains: ['.test'],
    inviteRequired: false,
    disableSsrfProtection: true,
    rateLimitsEnabled: false,
    bskyAppViewUrl: 'http://127.0.0.1:9',
    bskyAppViewDid: 'did:web:appview.invalid',
    bskyAppViewCdnUrlPattern: 'http://127.0.0.1:9/%s/%s/%s',
    modServiceUrl: 'http://127.0.0.1:9',
    modServiceDid: 'did:web:mod.invalid',
  }
  const pds = await PDS.create(envToCfg(env), envToSecrets(env))
  await pds.ctx.sequencer.start()
  const pdsServer = createServer(pds.app)
  await listen(pdsServer, port)
  return {
    url: `http://localhost:${port}`,
    close: async () => {
      for (const server of [pdsServer, plcServer]) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
      await pds.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
