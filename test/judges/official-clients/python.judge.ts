import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { discordSeed } from '../../../infra/local/platforms/discord.ts'
import { redditSeed } from '../../../infra/local/platforms/reddit.ts'
import { startPlatforms } from '../../../infra/local/platforms/start.ts'
import { xSeed } from '../../../infra/local/platforms/x/seed.ts'
import { youtubeSeed } from '../../../infra/local/platforms/youtube.ts'
import { pythonWith } from '../../support/pypi.ts'

// PRAW obeys the reported limits, so time must pass.
const platforms = await startPlatforms({ clock: { now: () => Date.now() } })
beforeEach(() => platforms.reset())
afterAll(() => platforms.close())

const python = await pythonWith('official-clients', [
  'praw==8.0.3',
  'Mastodon.py==2.3.3',
  'tweepy==4.17.0',
  'google-api-python-client==2.202.0',
  'discord.py==2.7.1',
])

const textsOn = (platform: string) =>
  platforms.published().flatMap((post) => (post.platform === platform ? post.text : []))

/** Runs a program of `python/`, which waits after it has published; returns what it has read, and how to go on. */
async function run(platform: string, seed: object) {
  const program = spawn(python, ['-W', 'ignore', join(import.meta.dirname, 'python', `${platform}_client.py`)], {
    env: {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: '1',
      ORIGIN: platforms.urls[platform],
      SEED: JSON.stringify(seed),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  onTestFinished(() => void program.kill())
  const ended = once(program, 'close')
  const errors = text(program.stderr)
  const lines = createInterface(program.stdout)
  const line = await Promise.race([once(lines, 'line'), ended.then(() => undefined)])
  if (line === undefined) throw new Error(await errors)
  return {
    read: JSON.parse(String(line[0])) as unknown,
    async remove() {
      program.stdin.end('delete\n')
      await ended
      expect(await errors).toBe('')
      expect(program.exitCode).toBe(0)
      expect(textsOn(platform)).toEqual([])
    },
  }
}

test('PRAW logs in, submits a text, reads it, and deletes it', async () => {
  const { read, remove } = await run('reddit', redditSeed.app)
  const [{ name: author }] = redditSeed.people
  expect(read).toEqual({ title: 'A title', text: 'Hello from the client', author, listed: true })
  expect(textsOn('reddit')).toEqual(['A title\n\nHello from the client'])
  await remove()
})

test('Mastodon.py registers an app, logs in, posts a text, reads it, and deletes it', async () => {
  const { read, remove } = await run('mastodon', {})
  expect(read).toEqual({ content: '<p>Hello from the client</p>', version: '4.5.0', listed: true })
  expect(textsOn('mastodon')).toEqual(['Hello from the client'])
  await remove()
})

test('tweepy logs in, posts a text, reads it with its author, and deletes it', async () => {
  const { read, remove } = await run('x', xSeed.app)
  const [{ username: author }] = xSeed.people
  expect(read).toEqual({ text: 'Hello from the client', author, isOwn: true, listed: true })
  expect(textsOn('x')).toEqual(['Hello from the client'])
  await remove()
})

test('google-api-python-client uploads videos in a session and in one request, reads them, and deletes them', async () => {
  const { read, remove } = await run('youtube', youtubeSeed.app)
  expect(read).toEqual({ titles: ['Hello from the client', 'Hello again'], listed: true })
  expect(textsOn('youtube')).toEqual(['Hello from the client', 'Hello again'])
  await remove()
})

test('discord.py sends a message to a channel, reads it, and deletes it', async () => {
  const { botToken, bot, channels } = discordSeed
  const channel = channels.find(({ name }) => name === 'general')?.id
  const { read, remove } = await run('discord', { botToken, channel })
  const { username } = bot
  expect(read).toEqual({
    content: 'Hello from the client',
    channel: 'general',
    bot: username,
    application: username,
    channels: channels.length,
    listed: true,
  })
  expect(textsOn('discord')).toEqual(['Hello from the client'])
  await remove()
})
