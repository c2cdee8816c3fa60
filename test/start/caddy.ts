import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { until } from './processes.ts'

export const hasCaddy = spawnSync('caddy', ['version']).status === 0

/** The public name of a service: Caddy signs names of this kind with a certificate authority of its own. */
export const nameOf = (port: number): string => `https://social.localhost:${port}`

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Starts Caddy with the file of the repository, in front of a port of this machine. */
export const startCaddy = async (baseUrl: string, port: number) => {
  const folder = mkdtempSync(join(tmpdir(), 'caddy-'))
  const file = join(import.meta.dirname, '../../infra/local/packaging/Caddyfile')
  const own = '{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n'
  writeFileSync(join(folder, 'Caddyfile'), `${own}${readFileSync(file, 'utf8')}`)
  const env = {
    ...process.env,
    HOME: folder,
    XDG_DATA_HOME: folder,
    SITE_ADDRESS: baseUrl,
    UPSTREAM: `127.0.0.1:${port}`,
  }
  const args = ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
  const child = spawn('caddy', args, { env, stdio: 'ignore' })
  const root = join(folder, 'caddy/pki/authorities/local/root.crt')
  const send = (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: Uint8Array,
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { hostname, host, port: at } = new URL(baseUrl)
      const to = { host: '127.0.0.1', port: at, servername: hostname, ca: readFileSync(root) }
      const sent = request({ ...to, method, path, headers: { host, ...headers } }, async (answer) =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer) }),
      )
      sent.on('error', reject)
      sent.end(body)
    })
  await until('Caddy answers', () => send('GET', '/api/health').catch(() => undefined))
  const close = () => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  return { send, close }
}
