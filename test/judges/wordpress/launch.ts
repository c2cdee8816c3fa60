import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { freePort } from '../../net/free-port.ts'

const require = createRequire(import.meta.url)

/** A WordPress site on 127.0.0.1 only, with its database in a temporary folder that goes with it. */
export interface RunningSite {
  url: string
  /** The version of WordPress. */
  version: string
  /** Makes an application password for a user, who is made with this role if there is none. */
  applicationPassword(username: string, role: string): Promise<string>
  close(): Promise<void>
}

const constants = {
  // Application passwords need https, or a site that says that it is a local one.
  WP_ENVIRONMENT_TYPE: 'local',
}

const switches = {
  // Nothing is fetched.
  WP_HTTP_BLOCK_EXTERNAL: 'true',
  AUTOMATIC_UPDATER_DISABLED: 'true',
  DISABLE_WP_CRON: 'true',
}

const readyWithinMs = 180_000

/** Makes users and their application passwords, and addresses with words, as most sites have them. */
const plugin = `<?php
add_action('init', function () {
  global $wp_rewrite;
  if (get_option('permalink_structure') !== '/%postname%/') {
    $wp_rewrite->set_permalink_structure('/%postname%/');
    $wp_rewrite->flush_rules(false);
  }
});
add_action('rest_api_init', function () {
  register_rest_route('test/v1', '/password', array(
    'methods' => 'POST',
    'permission_callback' => '__return_true',
    'callback' => function ($request) {
      $user = get_user_by('login', $request['username']);
      $id = $user ? $user->ID : wp_insert_user(array(
        'user_login' => $request['username'],
        'user_pass' => wp_generate_password(24),
        'user_email' => $request['username'] . '@bakery.example',
        'display_name' => ucfirst($request['username']),
        'role' => $request['role'],
      ));
      $made = WP_Application_Passwords::create_new_application_password($id, array('name' => wp_generate_uuid4()));
      return array('password' => WP_Application_Passwords::chunk_password($made[0]));
    },
  ));
});
`

const unpack = async (archive: string, folder: string): Promise<void> => {
  const { unzipSync } = require('fflate')
  const files: Record<string, Uint8Array> = unzipSync(await readFile(archive))
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(name.endsWith('/') ? path : dirname(path), { recursive: true })
    if (!name.endsWith('/')) await writeFile(path, bytes)
  }
}

/** Starts WordPress 6.5 on the PHP of `@wp-playground/cli`. */
export const launchSite = async (): Promise<RunningSite> => {
  const folder = await mkdtemp(join(tmpdir(), 'wordpress-'))
  const archive = '@wp-playground/wordpress-builds/src/wordpress/wp-6.5.zip'
  await unpack(join(import.meta.dirname, 'node_modules', archive), folder)
  await mkdir(join(folder, 'wp-content/mu-plugins'), { recursive: true })
  await writeFile(join(folder, 'wp-content/mu-plugins/test.php'), plugin)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const program = join(import.meta.dirname, 'node_modules/@wp-playground/cli/wp-playground.js')
  const options = [
    ...['server', '--port', String(port), '--workers', '1', '--verbosity', 'quiet'],
    ...['--mount-dir-before-install', folder, '/wordpress'],
    ...['--wordpress-install-mode', 'install-from-existing-files-if-needed'],
    ...Object.entries(constants).flatMap(([name, value]) => ['--define', name, value]),
    ...Object.entries(switches).flatMap(([name, value]) => ['--define-bool', name, value]),
  ]
  const child = spawn(process.execPath, [program, ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = once(child, 'exit')
  const close = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  const endsAt = Date.now() + readyWithinMs
  while (Date.now() < endsAt && child.exitCode === null) {
    const answer = await fetch(`${url}/?rest_route=/`, { signal: AbortSignal.timeout(30_000) }).catch(() => undefined)
    if (answer?.ok && answer.headers.get('content-type')?.includes('json')) break
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  const version = /\$wp_version = '([^']+)'/.exec(await readFile(join(folder, 'wp-includes/version.php'), 'utf8'))?.[1]
  if (Date.now() >= endsAt || child.exitCode !== null || version === undefined) {
    await close()
    throw new Error(`WordPress did not start:\n${output}`)
  }
  return {
    url,
    version,
    close,
    async applicationPassword(username, role) {
      const answer = await fetch(`${url}/?rest_route=/test/v1/password`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, role }),
      })
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
      return z.parse(z.object({ password: z.string() }), await answer.json()).password
    },
  }
}
